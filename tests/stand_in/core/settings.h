#pragma once

#include <cstddef>
#include <cstdint>

namespace stand_in {

/// When operations run, of all the orders that streams and events leave open.
enum class Order {
  kRandom,  // any stream that may, in bursts, drawn from the seed
  kEager,   // as soon as they are enqueued
  kLate,    // not before somebody waits for them
};

/// What NCCL is like where it could be trusted less.
enum class NcclMood {
  kOpen,
  kMute,       // says in other words than usual what it chose
  kDeaf,       // takes no notice of NCCL_PROTO
  kReluctant,  // offers NVLS, and refuses it when it is asked for
};

/// What the environment asks of the device (README.md lists the variables).
struct Settings {
  int devices;
  std::size_t memory;  // bytes of one device
  int driver_version;  // as cudaDriverGetVersion counts: 1000 major + 10 minor
  Order order;
  std::uint64_t seed;
  bool nhwc;  // whether convolutions take it
  NcclMood nccl;
};

/// Read once; ends the program where a variable cannot be understood.
const Settings& settings();

}  // namespace stand_in
