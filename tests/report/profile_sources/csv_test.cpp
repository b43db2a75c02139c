#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/equal.h"
#include "report/examples.h"
#include "report/profile_file.h"
#include "report/profile_report.h"
#include "report/profile_sources/support.h"

namespace mgbench {
namespace {

TEST(ProfileReader, ReadsYamlAndJsonOfTheProgramItself) {
  const Profile profile = example_profile();
  EXPECT_TRUE(equal(read_profile_text(to_yaml(profile), "x").profile, profile));
  EXPECT_TRUE(equal(read_profile_text(profile_to_json(profile), "x").profile, profile));
}

TEST(ProfileCsv, IsInReadyOrderAndTheProfileInForwardOrder) {
  const ReadProfile read = read_profile_text(
      "# from our own timers\n# forward_us=30000\n# update_us=500\n# model=net-1\n# batch=32\n"
      "name,bytes,backward_us\nfc.weight,8192000,24000\nfc.bias,4000,0\nconv.weight,37632,30000\n",
      "x");
  const Profile& profile = read.profile;
  EXPECT_TRUE(read.remarks.empty());
  EXPECT_EQ(profile.model, "net-1");
  EXPECT_EQ(profile.batch, 32);
  EXPECT_DOUBLE_EQ(profile.update, 500e-6);
  ASSERT_EQ(profile.steps.size(), 2U);
  EXPECT_EQ(profile.steps[0].name, "conv.weight");
  EXPECT_DOUBLE_EQ(profile.steps[0].forward, 0.030);
  EXPECT_EQ(profile.steps[1].name, "fc.weight");
  EXPECT_EQ(profile.steps[1].tensors.size(), 2U);
  expect_gradients(profile, {{"fc.weight", 8192000, 0.054}, {"fc.bias", 4000, 0.054}, {"conv.weight", 37632, 0.084}});
}

TEST(ProfileCsv, RowsMayTellForward) {
  const Profile profile =
      read_profile_text("name,bytes,backward_us,forward_us\r\na,4,0,1\r\nb,8,0,2\r\nc,12,30,4\r\n", "x").profile;
  ASSERT_EQ(profile.steps.size(), 2U);
  EXPECT_DOUBLE_EQ(profile.steps[0].forward, 4e-6);
  EXPECT_DOUBLE_EQ(profile.steps[1].forward, 3e-6);
  EXPECT_EQ(profile.update, 0);
  EXPECT_EQ(profile.model, "imported");
  expect_gradients(profile, {{"a", 4, 7e-6}, {"b", 8, 7e-6}, {"c", 12, 37e-6}});
}

RC_GTEST_PROP(ProfileCsv, GradientsAreReadyAtTheSumsOfTheirRows, ()) {
  const int forward = *rc::gen::inRange(0, 100000);
  std::string text = fmt::format("# forward_us={}\nname,bytes,backward_us\n", forward);
  std::vector<Expected> expected;
  Seconds ready = forward * 1e-6;
  for (int i = 0, count = *rc::gen::inRange(1, 20); i < count; ++i) {
    const int backward = i == 0 ? *rc::gen::inRange(10, 10000) : *rc::gen::element(0, 1, 17, 40000);
    const Bytes bytes = *rc::gen::inRange<Bytes>(1, 1 << 30);
    ready += backward * 1e-6;
    text += fmt::format("t{},{},{}\n", i, bytes, backward);
    expected.push_back({fmt::format("t{}", i), bytes, ready});
  }
  const Profile profile = read_profile_text(text, "x").profile;
  expect_gradients(profile, expected);
  RC_ASSERT(equal(profile_from_yaml(to_yaml(profile), "x"), profile));
}

const std::string kTotal = "# forward_us=100\n";
const std::string kHead = kTotal + "name,bytes,backward_us\n";

class ProfileCsvRefusal : public testing::TestWithParam<ProfileRefusal> {};

TEST_P(ProfileCsvRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Profile, ProfileCsvRefusal,
    testing::Values(
        ProfileRefusal{"empty", "", "x: empty, expected a profile"},
        ProfileRefusal{"no rows", kHead, "x: no row, expected at least one gradient"},
        ProfileRefusal{"no forward", "name,bytes,backward_us\na,4,1\n",
                       "x: no forward time, expected a column forward_us or a line '# forward_us=NUMBER'"},
        ProfileRefusal{"forward twice", kTotal + "name,bytes,backward_us,forward_us\na,4,10,1\n",
                       "x:1: forward_us is given for each row and as a total, expected one of them"},
        ProfileRefusal{"unknown column", kTotal + "name,bytes,backward_ms\na,4,1\n",
                       "x:2: unknown column 'backward_ms'; did you mean 'backward_us'? choices: name, bytes, "
                       "backward_us, forward_us"},
        ProfileRefusal{"other order", kTotal + "bytes,name,backward_us\n4,a,1\n",
                       "x:2: expected the heading 'name,bytes,backward_us' or 'name,bytes,backward_us,forward_us'"},
        ProfileRefusal{"no heading", kTotal + "a,4,1\n",
                       "x:2: unknown column 'a'; choices: name, bytes, backward_us, forward_us"},
        ProfileRefusal{"unknown setting", "# forward_ms=1\nname,bytes,backward_us\n",
                       "x:1: unknown setting 'forward_ms'; did you mean 'forward_us'? choices: forward_us, update_us, "
                       "model, batch"},
        ProfileRefusal{"setting twice", kTotal + kHead, "x:2: forward_us is set twice"},
        ProfileRefusal{"negative", kHead + "a,4,-1\n",
                       "x:3: '-1' is not a time, expected microseconds from 0 to 3.6e+09"},
        ProfileRefusal{"nan", kHead + "a,4,nan\n", "x:3: 'nan' is not a time, expected microseconds from 0 to 3.6e+09"},
        ProfileRefusal{"inf", kHead + "a,4,inf\n", "x:3: 'inf' is not a time, expected microseconds from 0 to 3.6e+09"},
        ProfileRefusal{"with a unit", kHead + "a,4,12ms\n",
                       "x:3: '12ms' is not a time, expected microseconds from 0 to 3.6e+09"},
        ProfileRefusal{"negative size", kHead + "a,-4,1\n",
                       "x:3: '-4' is not a size, expected a whole number of bytes up to 2^40"},
        ProfileRefusal{"absurd size", kHead + "a,1e12,1\n",
                       "x:3: '1e12' is not a size, expected a whole number of bytes up to 2^40"},
        ProfileRefusal{"no size", kHead + "a,0,1\n", "x:3: a gradient of 0 B, expected at least 1"},
        ProfileRefusal{"no name", kHead + ",4,1\n", "x:3: the name is empty or no text in UTF-8"},
        ProfileRefusal{"not UTF-8", kHead + "\xff,4,1\n", "x:3: the name is empty or no text in UTF-8"},
        ProfileRefusal{"name twice", kHead + "a,4,1\nb,4,1\na,4,1\n", "x:5: a second gradient of the name 'a'"},
        ProfileRefusal{"truncated row", kHead + "a,4,1\nb,4\n", "x:4: 2 columns, expected 3 as in the heading"},
        ProfileRefusal{"seconds", "# forward_us=0.03\nname,bytes,backward_us\na,4,0.06\n",
                       "x: forward takes 0.03 us and backward 0.06 us in all: are these microseconds?"},
        ProfileRefusal{"no backward", kHead + "a,4,0\nb,4,0\n",
                       "x: forward takes 100 us and backward 0 us in all: are these microseconds?"},
        ProfileRefusal{"model that is a path", "# model=../x\n" + kHead + "a,4,1\n",
                       "x:1: '../x' is not a model's name, expected letters, digits, '-' and '_'"},
        ProfileRefusal{"batch of none", "# batch=0\n" + kHead + "a,4,1\n",
                       "x:1: '0' is not a batch, expected a whole number from 1 to 1000000"},
        ProfileRefusal{"some other JSON", "{\"a\": 1}", "x: missing key: schema"},
        ProfileRefusal{"trace without backward", "{\"traceEvents\": []}",
                       "x: a trace without torch::autograd::AccumulateGrad, expected one of PyTorch's profiler over "
                       "training steps"}));

}  // namespace
}  // namespace mgbench
