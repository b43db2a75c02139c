#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "bench/command_line.h"
#include "bench/nccl/nccl_speaker.h"

namespace {

/// Whoever has closed one wants no messages there; neither are they to end up in the file that is opened next.
void open_standard_streams() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  const char* speech = std::getenv(mgbench::kSpeechVariable);
  const bool speaks = speech != nullptr && argc == 2 && std::string_view(argv[1]) == mgbench::kSpeakerWord;
  const int code = speaks ? mgbench::speak_of_nccl(speech) : mgbench::run_command_line(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "mgbench: standard output cannot be written: %s\n", std::strerror(errno));
  return code != 0 ? code : static_cast<int>(mgbench::ExitCode::not_measured);
}
