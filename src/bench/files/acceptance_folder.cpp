#include "bench/files/acceptance_folder.h"

#include <fmt/format.h>

#include "base/error.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

fs::path make_folder(const fs::path& parent) {
  constexpr int kNames = 100;
  require_writable_folder(parent);
  const fs::path wanted = parent / (utc_now_for_file_name() + "-acceptance");
  std::error_code error;
  for (int number = 1; number <= kNames && !error; ++number) {
    fs::path path = number == 1 ? wanted : fs::path(fmt::format("{}-{}", wanted.string(), number));
    if (fs::create_directory(path, error)) return path;  // false without an error: it is there already
  }
  fail(ExitCode::not_measured, "{}: cannot be made: {}", wanted.string(),
       error ? error.message() : fmt::format("{} folders have this name already", kNames));
}

}  // namespace

AcceptanceFolder::AcceptanceFolder(const fs::path& parent) : path_(make_folder(parent)) {}

fs::path AcceptanceFolder::add(const std::string& name, const std::string& text) const {
  return write_new_file(path_ / name, text);
}

void AcceptanceFolder::log(const std::string& text) {
  log_ += text + "\n";
  replace_file(path_ / "log.txt", log_);
}

}  // namespace mgbench
