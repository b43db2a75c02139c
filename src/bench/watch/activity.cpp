#include "bench/watch/activity.h"

namespace mgbench {
namespace {

const char* suffix(Activity::Part part) {
  switch (part) {
    case Activity::Part::other:
      return "";
    case Activity::Part::forward:
      return ": forward";
    case Activity::Part::backward:
      return ": backward";
    case Activity::Part::messages:
      return ": waiting for messages";
    case Activity::Part::update:
      return ": update";
    case Activity::Part::ranks:
      break;
  }
  return ": waiting for other ranks";
}

}  // namespace

void Activity::begin(const std::string& stage) {
  advance();
  const std::scoped_lock lock(mutex_);
  stage_ = stage;
  detail_.clear();
  expected_ = 0;
}

void Activity::detail(const std::string& text) {
  advance();
  const std::scoped_lock lock(mutex_);
  detail_ = text;
}

void Activity::expect(Seconds longest) {
  const std::scoped_lock lock(mutex_);
  expected_ = longest;
}

Activity::State Activity::read() const {
  const Part part = this->part();
  State state{.doing = "",
              .position = position_.load(std::memory_order_relaxed),
              .pulse = pulse_.load(std::memory_order_relaxed) + passed_among_some_.load(std::memory_order_relaxed),
              .waiting = part == Part::messages || part == Part::ranks,
              .expected = 0};
  const std::scoped_lock lock(mutex_);
  state.doing = stage_ + (detail_.empty() ? "" : ", " + detail_) + suffix(part);
  state.expected = expected_;
  return state;
}

Activity& activity() {
  static Activity of_this_process;
  return of_this_process;
}

}  // namespace mgbench
