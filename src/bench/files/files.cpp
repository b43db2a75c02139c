#include "bench/files/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/names.h"
#include "bench/build_info.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestInput = std::uintmax_t{64} << 20;

/// Owns a file that has no final name yet; removes it unless publish() succeeded.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder) : path_((folder / ".mgbench-XXXXXX").string()) {
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) path_.clear();
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool ok() const { return descriptor_ >= 0; }

  bool write_all(const std::string& text, Readers readers) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count = write(descriptor_, text.data() + done, text.size() - done);
      if (count < 0 && errno != EINTR) return false;
      if (count > 0) done += static_cast<std::size_t>(count);
    }
    return fchmod(descriptor_, readers == Readers::all ? 0644 : 0600) == 0 && fsync(descriptor_) == 0;
  }

  /// link() fails where the name is taken, so that two jobs that finish at once both keep their file.
  bool publish(const fs::path& target) { return link(path_.c_str(), target.c_str()) == 0; }

  bool replace(const fs::path& target) {
    if (rename(path_.c_str(), target.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

std::string reason() {
  return std::strerror(errno);
}

std::vector<fs::path> config_folders(const std::string& kind) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return {program.parent_path().parent_path() / "share" / "mgbench" / "configs" / kind,
          fs::path(kSourceFolder) / "configs" / kind};
}

/// Of the first of these folders that is there, sorted.
std::vector<fs::path> configs_of(const std::string& kind) {
  std::error_code ignored;
  std::vector<fs::path> configs;
  for (const fs::path& folder : config_folders(kind)) {
    if (!fs::is_directory(folder, ignored)) continue;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".yaml") configs.push_back(entry.path());
    break;
  }
  std::sort(configs.begin(), configs.end());
  return configs;
}

std::string file_name(std::string text) {
  constexpr std::size_t kLongest = 150;
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  text.resize(std::min(text.size(), kLongest));
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return kAllowed.find(c) == std::string_view::npos; }, '-');
  return text;
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code error;
  require(fs::exists(path, error), "{}: no such file", path.string());
  require(fs::is_regular_file(path, error), "{}: not a file", path.string());
  const std::uintmax_t size = fs::file_size(path, error);
  require(!error && size <= kLargestInput, "{}: {} bytes; expected at most {}", path.string(), size, kLargestInput);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  require(stream.good() || size == 0, "{}: cannot be read: {}", path.string(), reason());
  return std::move(text).str();
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void require_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, "{}: the results folder cannot be made: {}", folder.string(), error.message());
  const TemporaryFile file(folder);
  require(file.ok(), "{}: the results folder cannot be written to: {}", folder.string(), reason());
}

fs::path write_new_file(const fs::path& path, const std::string& text, Readers readers) {
  constexpr int kNames = 1000;
  const fs::path folder = folder_of(path);
  const std::string stem = path.stem().string();
  const std::string extension = path.extension().string();
  TemporaryFile file(folder);
  if (!file.ok() || !file.write_all(text, readers))
    fail(ExitCode::not_measured, "{}: cannot write a result: {}", folder.string(), reason());
  for (int number = 1; number <= kNames; ++number) {
    fs::path target = number == 1 ? path : path.parent_path() / fmt::format("{}-{}{}", stem, number, extension);
    if (file.publish(target)) return target;
    if (errno != EEXIST) fail(ExitCode::not_measured, "{}: cannot write a result: {}", target.string(), reason());
  }
  fail(ExitCode::not_measured, "{}: {} results are named '{}' already", folder.string(), kNames, stem);
}

void replace_file(const fs::path& path, const std::string& text, Readers readers) {
  TemporaryFile file(folder_of(path));
  if (!file.ok() || !file.write_all(text, readers) || !file.replace(path))
    fail(ExitCode::not_measured, "{}: cannot be written: {}", path.string(), reason());
}

fs::path write_new_file(const fs::path& folder, const std::string& stem, const std::string& extension,
                        const std::string& text, Readers readers) {
  return write_new_file(folder / (file_name(stem) + extension), text, readers);
}

fs::path find_config(const std::string& kind, const std::string& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  const std::vector<fs::path> configs = configs_of(kind);
  const auto named =
      std::find_if(configs.begin(), configs.end(), [&](const auto& path) { return path.stem() == name; });
  if (named != configs.end()) return *named;
  fail(ExitCode::bad_input, "{}: no such file, nor one of the names in configs/{}{}", name, kind,
       suggestion(name, config_names(kind)));
}

std::vector<std::string> config_names(const std::string& kind) {
  std::vector<std::string> names;
  for (const fs::path& path : configs_of(kind)) names.push_back(path.stem().string());
  return names;
}

}  // namespace mgbench
