#include "bench/interruption.h"

#include <csignal>

namespace mgbench {
namespace {

volatile std::sig_atomic_t requested_flag = 0;

void note(int signal) {
  requested_flag = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  requested_flag = 0;
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interruption::requested() const {
  return requested_flag != 0;
}

}  // namespace mgbench
