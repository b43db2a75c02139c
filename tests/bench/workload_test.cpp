#include "bench/training/workload.h"

#include <gtest/gtest.h>

#include "bench/run_config.h"

namespace mgbench {
namespace {

RunConfig config_of(const std::string& backend) {
  RunConfig config;
  config.model = "tiny";
  config.backend = backend;
  return config;
}

TEST(Workload, IsWhatTheOptionsSay) {
  RunConfig config = config_of("onednn");
  const Workload usual(config);
  EXPECT_EQ(usual.name(), "tiny");
  EXPECT_EQ(usual.backend().name, "onednn");
  EXPECT_EQ(usual.batch(), 4);
  config.batch = 7;
  const Workload larger(config);
  EXPECT_EQ(larger.batch(), 7);
  EXPECT_EQ(larger.outline().batch, 7);
  EXPECT_GT(larger.memory_per_rank(), usual.memory_per_rank());
  EXPECT_GT(larger.training_memory_per_rank(), usual.training_memory_per_rank());
  EXPECT_EQ(larger.gradient_bytes(), usual.gradient_bytes()) << "gradients do not know the batch";
  config.model = "alexnet";
  EXPECT_EQ(Workload(config).name(), "alexnet");
}

TEST(Workload, HasGradientsOfTheTypeThatIsAskedFor) {
  RunConfig config = config_of("cudnn");
  const Bytes single = Workload(config).gradient_bytes();
  for (const char* half : {"fp16", "bf16"}) {
    config.precision = config.gradients = half;
    EXPECT_EQ(Workload(config).gradient_bytes(), single / 2) << half;
    EXPECT_NE(Workload(config).precision().find(half), std::string::npos) << Workload(config).precision();
  }
}

}  // namespace
}  // namespace mgbench
