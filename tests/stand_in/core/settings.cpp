#include "core/settings.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace stand_in {

namespace {

[[noreturn]] void refuse(const char* variable, const std::string& value) {
  std::fprintf(stderr, "stand-in: %s=%s is not understood\n", variable, value.c_str());
  std::exit(2);
}

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text, &end, 10);
  if (*end != '\0') refuse(variable, text);
  return value;
}

Order order() {
  const char* variable = "MGBENCH_STAND_IN_ORDER";
  const char* text = std::getenv(variable);
  const std::string value = text == nullptr ? "" : text;
  if (value.empty() || value == "random") return Order::kRandom;
  if (value == "eager") return Order::kEager;
  if (value == "late") return Order::kLate;
  refuse(variable, value);
}

NcclMood nccl() {
  const char* variable = "MGBENCH_STAND_IN_NCCL";
  const char* text = std::getenv(variable);
  const std::string value = text == nullptr ? "" : text;
  if (value.empty() || value == "open") return NcclMood::kOpen;
  if (value == "mute") return NcclMood::kMute;
  if (value == "deaf") return NcclMood::kDeaf;
  if (value == "reluctant") return NcclMood::kReluctant;
  refuse(variable, value);
}

}  // namespace

const Settings& settings() {
  static const Settings values{static_cast<int>(number("MGBENCH_STAND_IN_DEVICES", 1)),
                               number("MGBENCH_STAND_IN_MEMORY", std::size_t{8} << 30),
                               static_cast<int>(number("MGBENCH_STAND_IN_DRIVER", 13000)),
                               order(),
                               number("MGBENCH_STAND_IN_SEED", 1),
                               number("MGBENCH_STAND_IN_NHWC", 1) != 0,
                               nccl()};
  return values;
}

}  // namespace stand_in
