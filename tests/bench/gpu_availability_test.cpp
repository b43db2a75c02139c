// What users read where no GPU can be used: each cause has words of its own, asking for a GPU is refused, and the CPU
// goes on.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/commands.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

using Variables = std::vector<std::pair<std::string, std::string>>;

class GpuAvailability : public Commands {
 protected:
  void expect_unavailable(const std::string& program, const Variables& variables, const std::string& reason) const {
    const auto say = [&](std::vector<std::string> words) {
      words.insert(words.begin(), program);
      return run_program(words, folder_.path(), variables);
    };
    const ProgramResult list = say({"list"});
    EXPECT_EQ(list.exit_code, 0) << list.errors;
    for (const char* entry : {"  cudnn  ", "  nccl  ", "  mpi-cuda  ", "  mpi-staged  "}) {
      const std::size_t begin = list.output.find(entry);
      ASSERT_NE(begin, std::string::npos) << list.output;
      const std::string line = list.output.substr(begin, list.output.find('\n', begin) - begin);
      EXPECT_TRUE(line.ends_with("[not available: " + reason + "]")) << line;
    }
    const ProgramResult asked = say({"run", "--backend", "cudnn", "--model", "tiny"});
    EXPECT_EQ(asked.exit_code, 2);
    EXPECT_EQ(asked.errors, "mgbench: backend 'cudnn' cannot be used here: " + reason + "\n");
    EXPECT_EQ(asked.output, "");
    EXPECT_FALSE(fs::exists(folder_.path() / "results"));
    const ProgramResult half = say({"run", "--precision", "fp16", "--model", "tiny"});
    EXPECT_EQ(half.exit_code, 2);
    EXPECT_TRUE(half.errors.ends_with("computes in fp32 only; 'cudnn' cannot be used here: " + reason + "\n"))
        << half.errors;
    const ProgramResult processor =
        say({"run", "--backend", "onednn", "--model", "tiny", "-n", "1", "--strategy", "wfbp", "--budget", "3"});
    EXPECT_EQ(processor.exit_code, 0) << processor.errors;
    EXPECT_NE(processor.output.find("tiny on onednn"), std::string::npos) << processor.output;
  }

  void expect_unavailable(const Variables& variables, const std::string& reason) const {
    expect_unavailable(MGBENCH_PROGRAM, variables, reason);
  }

  static bool built_with_cuda() { return *MGBENCH_CUDA_MODULE != '\0'; }
};

TEST_F(GpuAvailability, NoModule) {
  const fs::path program = folder_.path() / "bin" / "mgbench";
  fs::create_directory(program.parent_path());
  fs::copy_file(MGBENCH_PROGRAM, program);
  expect_unavailable(program, {}, "this mgbench was built without CUDA (cmake -DMGBENCH_CUDA=ON)");
}

TEST_F(GpuAvailability, MissingLibrary) {
  expect_unavailable({{"MGBENCH_MODULES", fs::path(MGBENCH_MISSING_LIBRARY_MODULE).parent_path()}},
                     "the library libmgbench_needed.so is not found; put its folder into LD_LIBRARY_PATH, or load the "
                     "module of the site that has CUDA, cuDNN and NCCL");
}

TEST_F(GpuAvailability, ModuleOfAnotherVersion) {
  const std::string file = MGBENCH_OTHER_VERSION_MODULE;
  expect_unavailable(
      {{"MGBENCH_MODULES", fs::path(file).parent_path()}},
      fmt::format("{} belongs to another version of mgbench (0.0.1, this one is {})", file, MGBENCH_VERSION));
}

TEST_F(GpuAvailability, ModuleThatIsNone) {
  const std::string file = folder_.write("mgbench_cuda.so", "no library");
  expect_unavailable({{"MGBENCH_MODULES", folder_.path()}},
                     fmt::format("{0} cannot be loaded: {0}: file too short", file));
}

TEST_F(GpuAvailability, NoDriver) {
  if (!built_with_cuda()) GTEST_SKIP() << "built without CUDA";
  if (dlopen("libcuda.so.1", RTLD_LAZY) != nullptr) GTEST_SKIP() << "this machine has a driver";
  expect_unavailable({}, "there is no NVIDIA driver (libcuda.so.1 is not found)");
}

TEST_F(GpuAvailability, StubOfTheToolkitForADriver) {
  if (*MGBENCH_CUDA_STUB == '\0') GTEST_SKIP() << "no stub of the CUDA Toolkit here";
  fs::create_symlink(MGBENCH_CUDA_STUB, folder_.path() / "libcuda.so.1");
  expect_unavailable(
      {{"LD_LIBRARY_PATH", folder_.path()}},
      "libcuda.so.1 is the CUDA Toolkit's stub for linking, not a driver: take its folder out of LD_LIBRARY_PATH");
}

TEST_F(GpuAvailability, OldDriver) {
  if (*MGBENCH_OLD_DRIVER == '\0') GTEST_SKIP() << "built without what stands in for CUDA";
  expect_unavailable({{"LD_LIBRARY_PATH", MGBENCH_OLD_DRIVER}},
                     "the NVIDIA driver is for CUDA 11.4, too old for CUDA " MGBENCH_CUDA_VERSION);
}

TEST_F(GpuAvailability, DriverWithoutDevice) {
  if (*MGBENCH_STAND_IN == '\0') GTEST_SKIP() << "built without what stands in for CUDA";
  // The stand-in itself remarks on standard error what it answers: every device of the real driver's is hidden alike.
  const Variables variables{{"LD_LIBRARY_PATH", MGBENCH_STAND_IN}, {"MGBENCH_STAND_IN_DEVICES", "0"}};
  const ProgramResult list = mgbench({"list"}, variables);
  const std::string reason = "there is an NVIDIA driver, but no device that this process sees (CUDA_VISIBLE_DEVICES?)";
  EXPECT_NE(list.output.find("cuBLAS [not available: " + reason + "]"), std::string::npos) << list.output;
  const ProgramResult asked = mgbench({"run", "--backend", "cudnn", "--model", "tiny"}, variables);
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_TRUE(asked.errors.ends_with("mgbench: backend 'cudnn' cannot be used here: " + reason + "\n")) << asked.errors;
}

}  // namespace
}  // namespace mgbench
