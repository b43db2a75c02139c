#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "bench/calibration/gradient_buffer.h"
#include "bench/clock.h"
#include "bench/communicator.h"
#include "bench/gpu/module.h"
#include "bench/gpu/own_stream.h"
#include "support/virtual_device.h"

namespace mgbench {

/// Where gradients lie: in the host's memory, in that of this rank's GPU, or in that of a device of the tests.
enum class Place { host, gpu, virtual_device };

struct Case {
  std::string communicator;
  Place place = Place::host;
};

inline void PrintTo(const Case& value, std::ostream* stream) {
  *stream << value.communicator;
}

/// Why the ranks have no GPU each; empty when they have.
inline const std::string& gpu_obstacle(ProcessGroup& group) {
  static const std::string obstacle = [&] {
    if (!gpu_module().obstacle.empty()) return gpu_module().obstacle;
    try {
      gpu_module().claim_device(group);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  return obstacle;
}

/// Every registered communicator wherever it can be used here, at the job's number of ranks. Values are integers, so
/// that sums are exact in any order.
class CommunicatorTest : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t kMost = (1 << 20) + 1;  // elements of an arena

  void SetUp() override {
    const CommunicatorEntry& entry = communicators().find(GetParam().communicator);
    if (GetParam().place == Place::virtual_device) {
      device_ = &virtual_device_;
    } else if (const std::string reason = entry.unavailable(); !reason.empty()) {
      GTEST_SKIP() << reason;
    } else if (GetParam().place == Place::gpu) {
      if (const std::string& none = gpu_obstacle(group_); !none.empty()) GTEST_SKIP() << none;
      device_ = &gpu_module().device();
    }
    if (device_ != nullptr) stream_.emplace(*device_, false);
  }

  void TearDown() override { EXPECT_EQ(virtual_device_.races(), std::vector<std::string>()); }

  std::unique_ptr<Communicator> make(bool emulated_moves_data = true) {
    return communicators()
        .find(GetParam().communicator)
        .make({.group = &group_,
               .clock = &steady_clock(),
               .emulated_cost = &cost_,
               .emulated_moves_data = emulated_moves_data,
               .device = device_,
               .arena = static_cast<Bytes>(kMost * sizeof(float))});
  }

  GradientArena arena_of(std::size_t count) const {
    return {.bytes = static_cast<Bytes>(count * sizeof(float)), .device = device_};
  }

  /// Differs by rank, element and round.
  static float value_of(int rank, std::size_t element, int round) {
    return static_cast<float>((element * 7 + static_cast<std::size_t>(rank * 13 + round * 3)) % 101);
  }

  void fill(GradientBuffer& arena, int round) const {
    std::vector<float> values(arena.count());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(group_.rank(), i, round);
    arena.write(0, values);
  }

  void expect_sums(GradientBuffer& arena, int round) const {
    std::size_t wrong = 0;
    const std::vector<float> values = arena.read(0, arena.count());
    for (std::size_t i = 0; i < values.size(); ++i) {
      float sum = 0;
      for (int rank = 0; rank < group_.size(); ++rank) sum += value_of(rank, i, round);
      if (values[i] != sum) ++wrong;
    }
    EXPECT_EQ(wrong, 0U) << "of " << values.size() << " elements in round " << round;
  }

  void start(Communicator& communicator, const GradientBuffer& arena, std::size_t begin, std::size_t end) {
    const ByteRange range{static_cast<Bytes>(begin * sizeof(float)), static_cast<Bytes>(end * sizeof(float))};
    communicator.start({.arena = range}, arena.part(begin, end - begin),
                       device_ == nullptr ? Event{} : device_->record(*stream_));
  }

  void finish(Communicator& communicator) {
    const Event end = communicator.join();
    if (device_ != nullptr) device_->synchronize(end);
  }

  /// Cuts `elements` into at most `messages` pieces; equal on every rank.
  static std::vector<std::size_t> random_ends(std::size_t elements, std::size_t messages, std::mt19937& random) {
    std::vector<std::size_t> ends{elements};
    while (ends.size() < messages) ends.push_back(1 + random() % (elements - 1));
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  const CostModel cost_{Line{.a = 300e-6, .b = 1e-9}};
  VirtualDevice virtual_device_{steady_clock(), 5e-6, 1e-10};
  Device* device_ = nullptr;         ///< in whose memory arenas lie; null: in the host's
  std::optional<OwnStream> stream_;  ///< of what stands for computation
};

inline std::string test_name(const testing::TestParamInfo<Case>& information) {
  const char* const places[] = {"", "_gpu", "_virtual_device"};
  std::string name = information.param.communicator + places[static_cast<int>(information.param.place)];
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace mgbench
