// Which gradients each registered communicator carries.
#include <gtest/gtest.h>

#include "bench/communicator.h"

namespace mgbench {
namespace {

std::vector<std::string> names_of(const std::vector<const CommunicatorEntry*>& entries) {
  std::vector<std::string> names;
  for (const CommunicatorEntry* entry : entries) names.push_back(entry->name);
  return names;
}

using Names = std::vector<std::string>;

TEST(CommunicatorFit, IsByMemoryAndType) {
  EXPECT_EQ(names_of(fitting_communicators(MemorySpace::host, ElementType::float32)),
            (Names{"mpi-async", "mpi-poll", "mpi-thread"}));
  EXPECT_EQ(names_of(fitting_communicators(MemorySpace::host, ElementType::float16)), Names());
  EXPECT_EQ(names_of(fitting_communicators(MemorySpace::device, ElementType::float32)),
            (Names{"nccl", "mpi-cuda", "mpi-staged"}));
  for (const ElementType half : {ElementType::float16, ElementType::bfloat16})
    EXPECT_EQ(names_of(fitting_communicators(MemorySpace::device, half)), (Names{"nccl", "mpi-staged"}));
}

TEST(CommunicatorFit, AMisfitSaysWhy) {
  const auto why = [](const char* name, MemorySpace space, ElementType type) {
    return misfit(communicators().find(name), space, type);
  };
  EXPECT_EQ(why("mpi-poll", MemorySpace::device, ElementType::float32), "it sends from the host's memory only");
  EXPECT_EQ(why("nccl", MemorySpace::host, ElementType::float32), "it sends from a GPU's memory only");
  EXPECT_EQ(why("mpi-cuda", MemorySpace::device, ElementType::bfloat16),
            "it sums float32 only, and gradients are bfloat16: MPI has no half types");
  EXPECT_EQ(why("emulated", MemorySpace::device, ElementType::float16), "");
}

TEST(CommunicatorFit, ThoseOfAGpuNeedADevice) {
  for (const CommunicatorEntry* entry : fitting_communicators(MemorySpace::device, ElementType::float32)) {
    try {
      entry->make({});
      FAIL() << entry->name << " was made without a device";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), ExitCode::bad_input) << error.what();
    }
  }
}

}  // namespace
}  // namespace mgbench
