// Groups: calls between ncclGroupStart and ncclGroupEnd of a thread take effect at its end.
#include <utility>
#include <vector>

#include "nccl/communicator.h"

namespace stand_in {

namespace {

struct Group {
  int depth = 0;
  std::vector<std::function<void()>> actions{};
};

Group& group() {
  thread_local Group own;
  return own;
}

}  // namespace

bool in_group() {
  return group().depth > 0;
}

void when_group_ends(std::function<void()> action) {
  if (in_group()) {
    group().actions.push_back(std::move(action));
  } else {
    action();
  }
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

ncclResult_t ncclGroupStart() {
  return call(__func__, [] { ++group().depth; });
}

ncclResult_t ncclGroupEnd() {
  return call(__func__, [] {
    require(in_group(), ncclInvalidUsage, "without ncclGroupStart");
    if (--group().depth > 0) return;
    for (const auto& action : std::exchange(group().actions, {})) action();
  });
}

}  // extern "C"
