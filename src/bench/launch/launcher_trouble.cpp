#include "bench/launch/launcher_trouble.h"

#include <sstream>

#include "base/printable.h"
#include "bench/build_info.h"
#include "bench/clock.h"
#include "bench/launch/program_output.h"

namespace mgbench {
namespace {

constexpr std::size_t kMostWords = 500;  // bytes

}  // namespace

std::vector<std::string> trial_of(std::vector<std::string> launcher, const std::string& program) {
  std::erase(launcher, "--quiet");
  launcher.insert(launcher.end(), {program, "--version"});
  return launcher;
}

std::string why_no_ranks(const std::vector<std::string>& trial, Seconds patience) {
  const Seconds begin = steady_clock().now();
  const std::string output = program_output(trial, patience);
  const bool started = output.find(std::string("mgbench ") + kVersion) != std::string::npos;
  const bool ended = steady_clock().now() - begin < patience;
  return started || !ended ? "" : first_words(output);
}

std::string first_words(const std::string& output) {
  std::string words;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    const bool is_rule = begin == std::string::npos || line.find_first_not_of("- \t\r") == std::string::npos;
    if (is_rule && !words.empty()) break;
    if (is_rule) continue;
    if (!words.empty()) words += ' ';
    words += line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }
  while (words.ends_with(':')) words.pop_back();
  return excerpt(printable(words), kMostWords);
}

}  // namespace mgbench
