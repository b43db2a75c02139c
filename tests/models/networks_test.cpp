#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

#include "models/model.h"

namespace mgbench {
namespace {

const LayerSpec& layer(const ModelSpec& model, const std::string& name) {
  for (const LayerSpec& candidate : model.layers)
    if (candidate.name == name) return candidate;
  throw std::out_of_range(name);
}

TEST(Networks, AlexNetHasThePublishedCounts) {
  const ModelSpec model = models().find("alexnet").make();
  EXPECT_EQ(model.tensors(), 16U);
  EXPECT_EQ(model.parameters(), 60'965'224);
  EXPECT_EQ(model.multiply_adds(), 724'406'816);
}

TEST(Networks, GoogLeNetHasThePublishedCounts) {
  const ModelSpec model = models().find("googlenet").make();
  EXPECT_EQ(model.tensors(), 128U);
  EXPECT_EQ(model.parameters(), 13'378'280);
  std::int64_t head_parameters = 0;
  std::int64_t head_multiply_adds = 0;
  for (const LayerSpec& candidate : model.layers)
    if (candidate.name.rfind("aux", 0) == 0) {
      head_multiply_adds += candidate.multiply_adds;
      for (const ParameterSpec& parameter : candidate.parameters) head_parameters += parameter.elements();
    }
  EXPECT_EQ(model.parameters() - head_parameters, 6'998'552);
  EXPECT_EQ(head_multiply_adds, 8'372'224);
  EXPECT_EQ(model.multiply_adds() - head_multiply_adds, 1'582'671'872);
}

TEST(Networks, GoogLeNetPoolsInCeilMode) {
  const ModelSpec model = models().find("googlenet").make();
  EXPECT_EQ(layer(model, "pool1").output, (Shape{64, 56, 56}));
  EXPECT_EQ(layer(model, "pool2").output, (Shape{192, 28, 28}));
  EXPECT_EQ(layer(model, "pool3").output, (Shape{480, 14, 14}));
  EXPECT_EQ(layer(model, "pool4").output, (Shape{832, 7, 7}));
  EXPECT_EQ(layer(model, "aux1_pool").output, (Shape{512, 4, 4}));
}

TEST(Networks, ResNet50HasThePublishedCounts) {
  const ModelSpec model = models().find("resnet50").make();
  EXPECT_EQ(model.tensors(), 161U);
  EXPECT_EQ(model.parameters(), 25'557'032);
  EXPECT_EQ(model.multiply_adds(), 4'089'184'256);
}

TEST(Networks, TinyHasEveryOperationOfTheOthers) {
  std::set<std::string_view> in_tiny;
  for (const LayerSpec& candidate : models().find("tiny").make().layers)
    in_tiny.insert(operation_name(candidate.operation));
  for (const ModelEntry& entry : models())
    for (const LayerSpec& candidate : entry.make().layers)
      EXPECT_TRUE(in_tiny.contains(operation_name(candidate.operation)))
          << entry.name << " uses " << operation_name(candidate.operation);
}

TEST(Networks, EachIsNamedAsItIsRegistered) {
  for (const ModelEntry& entry : models()) EXPECT_EQ(entry.make().name, entry.name);
}

TEST(Networks, UnknownNameListsTheChoicesAndTheNearest) {
  try {
    models().find("resnet-50");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    EXPECT_EQ(std::string(error.what()), fmt::format("unknown model 'resnet-50'; did you mean 'resnet50'? choices: {}",
                                                     fmt::join(models().names(), ", ")));
  }
}

}  // namespace
}  // namespace mgbench
