#include "nccl/log.h"

#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "core/context.h"

namespace stand_in {

namespace {

std::string variable(const char* name, const char* otherwise = "") {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// With %h for the host and %p for the process.
std::string file_name(const std::string& pattern) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == 'h') name += host();
    if (next == 'p') name += std::to_string(getpid());
    if (next == 'h' || next == 'p' || next == '%') ++i;
    if (next != 'h' && next != 'p') name += pattern[i];
  }
  return name;
}

class Log {
 public:
  Log() {
    const std::string level = variable("NCCL_DEBUG");
    informs_ = strcasecmp(level.c_str(), "INFO") == 0 || strcasecmp(level.c_str(), "TRACE") == 0;
    std::istringstream list(variable("NCCL_DEBUG_SUBSYS", "INIT,BOOTSTRAP,ENV"));
    for (std::string name; std::getline(list, name, ',');) subsystems_ += name + ",";
    const std::string name = file_name(variable("NCCL_DEBUG_FILE"));
    std::FILE* file = informs_ && !name.empty() ? std::fopen(name.c_str(), "w") : nullptr;
    if (file != nullptr) {
      std::setvbuf(file, nullptr, _IOLBF, 0);
      file_ = file;
    }
  }

  void write(const std::string& subsystem, const std::string& text) const {
    const bool listed = subsystems_ == "ALL," || ("," + subsystems_).find("," + subsystem + ",") != std::string::npos;
    if (!informs_ || !listed) return;
    std::fprintf(file_, "%s:%d:%ld [%d] NCCL INFO %s\n", host().c_str(), getpid(), syscall(SYS_gettid),
                 thread_context().device, text.c_str());
    std::fflush(file_);
  }

 private:
  bool informs_ = false;
  std::string subsystems_{};
  std::FILE* file_ = stdout;
};

}  // namespace

void info(const std::string& subsystem, const std::string& text) {
  static const auto* log = new Log;
  log->write(subsystem, text);
}

}  // namespace stand_in
