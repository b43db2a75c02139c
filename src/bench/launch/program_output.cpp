#include "bench/launch/program_output.h"

#include "bench/clock.h"
#include "bench/launch/running_program.h"

namespace mgbench {
namespace {

constexpr std::size_t kMost = std::size_t{64} * 1024;

}  // namespace

std::string program_output(std::vector<std::string> command, Seconds patience) {
  const Seconds deadline = steady_clock().now() + patience;
  RunningProgram program(std::move(command), {}, kMost);
  while (steady_clock().now() < deadline && program.listen(deadline - steady_clock().now())) {
  }
  return program.output();
}

}  // namespace mgbench
