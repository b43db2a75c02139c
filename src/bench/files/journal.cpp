#include "bench/files/journal.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "base/error.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/training/rounds.h"

namespace mgbench {
namespace {

constexpr Seconds kBetween = 1;
constexpr const char* kExtension = ".json.partial";

}  // namespace

Journal::Journal(std::filesystem::path folder, std::string command, Clock& clock)
    : folder_(std::move(folder)),
      command_(std::move(command)),
      clock_(clock),
      exceptions_(std::uncaught_exceptions()) {}

Journal::~Journal() {
  if (watchdog_ != nullptr) watchdog_->before_end({});
  if (std::uncaught_exceptions() > exceptions_) break_off("an error on rank 0");
}

void Journal::entrust_to(Watchdog& watchdog) {
  watchdog_ = &watchdog;
  watchdog.before_end([this](const std::string& why) { break_off(why); });
}

void Journal::keep(int rounds, const std::function<RunResult()>& so_far) {
  const Seconds now = clock_.now();
  if (kept_at_ && now < *kept_at_ + kBetween) return;
  kept_at_ = now;
  RunResult result = so_far();
  result.ended = fmt::format("{}: kept after {}", kNotEnded, format_rounds(rounds));
  write(result);
  const std::scoped_lock lock(mutex_);
  kept_ = std::move(result);
  rounds_ = rounds;
}

void Journal::write(const RunResult& result) {
  try {
    std::filesystem::path file;
    {
      const std::scoped_lock lock(mutex_);
      file = file_;
    }
    if (!file.empty()) {
      replace_file(file, to_json(result), Readers::owner);
      return;
    }
    file = write_new_file(folder_, fmt::format("{}-{}-{}", utc_now_for_file_name(), command_, result.model), kExtension,
                          to_json(result), Readers::owner);
    const std::scoped_lock lock(mutex_);
    file_ = std::move(file);
  } catch (const Error& error) {
    if (!complained_) fmt::print(stderr, "mgbench: a crash would lose what is measured: {}\n", error.what());
    complained_ = true;
  }
}

void Journal::break_off(const std::string& why) {
  const std::scoped_lock lock(mutex_);
  if (!kept_) return;
  RunResult result = *std::exchange(kept_, std::nullopt);
  result.ended = fmt::format("{} after {}: {}", kBrokenOff, format_rounds(rounds_), why);
  try {
    const auto path = write_new_file(folder_, fmt::format("{}-{}-{}", utc_now_for_file_name(), command_, result.model),
                                     ".json", to_json(result));
    fmt::print(stderr, "mgbench: what was measured until then: {}\n", path.string());
    std::fflush(stderr);
    std::error_code ignored;
    if (!file_.empty()) std::filesystem::remove(file_, ignored);
    file_.clear();
  } catch (const std::exception& error) {
    fmt::print(stderr, "mgbench: {}\n", error.what());
    if (!file_.empty()) fmt::print(stderr, "mgbench: what was measured until then: {}\n", file_.string());
  }
}

void Journal::discard() {
  const std::scoped_lock lock(mutex_);
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
  file_.clear();
  kept_.reset();
}

}  // namespace mgbench
