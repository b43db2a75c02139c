#include "bench/nccl/nccl_speaker.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "base/error.h"
#include "bench/calibration/gradient_buffer.h"
#include "bench/gpu/allreduce_stream.h"
#include "bench/gpu/module.h"
#include "bench/nccl/forced_variable.h"
#include "report/import/log_text.h"
#include "report/json.h"

namespace mgbench {
namespace {

// Lines of the speaker's own, among NCCL's: before each communicator, why something failed, after the last.
constexpr std::string_view kNext = "mgbench: next communicator";
constexpr std::string_view kFailure = "mgbench: failed: ";
constexpr std::string_view kEnd = "mgbench: end";

void say(std::string_view text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void speak(const NcclSpeech& speech) {
  const GpuModule& module = gpu_module();
  require(module.obstacle.empty(), "{}", module.obstacle);
  module.take_device(speech.device);
  Device& device = module.device();
  const Bytes largest = *std::max_element(speech.sizes.begin(), speech.sizes.end());
  const GradientBuffer buffer({.bytes = largest, .type = speech.type, .device = &device});
  for (const NcclSpeech::Communicator& communicator : speech.communicators) {
    say(kNext);
    const ForcedVariable algorithm("NCCL_ALGO", communicator.algorithm);
    const ForcedVariable protocol("NCCL_PROTO", communicator.protocol);
    try {
      AllreduceStream stream(device, module.join_nccl(communicator.place));
      for (const Bytes bytes : speech.sizes) {
        stream.enqueue(buffer.part(0, static_cast<std::size_t>(bytes / size_of(speech.type))));
        device.synchronize(stream.record());
      }
    } catch (const Error& error) {
      say(fmt::format("{}{}", kFailure, error.what()));
    }
  }
}

/// Two digits a byte.
std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  return bytes;
}

/// Throws Error(bad_input) for another text.
NcclSpeech speech_from(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    NcclSpeech speech{
        .device = json.at("device"), .sizes = json.at("sizes"), .type = json.at("type"), .communicators = {}};
    for (const Json& communicator : json.at("communicators"))
      speech.communicators.push_back({.place = {.id = bytes_of(communicator.at("id")),
                                                .ranks = communicator.at("ranks"),
                                                .rank = communicator.at("rank")},
                                      .algorithm = communicator.at("algorithm"),
                                      .protocol = communicator.at("protocol")});
    return speech;
  } catch (const std::exception&) {  // of the reader, or of a number
    fail(ExitCode::bad_input, "{}: expected what mgbench itself puts there", kSpeechVariable);
  }
}

}  // namespace

std::string to_text(const NcclSpeech& speech) {
  Json communicators = Json::array();
  for (const NcclSpeech::Communicator& communicator : speech.communicators)
    communicators.push_back({{"id", hexadecimal(communicator.place.id)},
                             {"ranks", communicator.place.ranks},
                             {"rank", communicator.place.rank},
                             {"algorithm", communicator.algorithm},
                             {"protocol", communicator.protocol}});
  return Json{{"device", speech.device},
              {"sizes", speech.sizes},
              {"type", speech.type},
              {"communicators", std::move(communicators)}}
      .dump();
}

int speak_of_nccl(const std::string& speech) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // NCCL may wait for ever for ranks that are gone
  try {
    speak(speech_from(speech));
    say(kEnd);
    return static_cast<int>(ExitCode::ok);
  } catch (const Error& error) {
    say(fmt::format("{}{}", kFailure, error.what()));
    return static_cast<int>(error.exit_code());
  }
}

bool is_whole_speech(const std::string& output) {
  const std::vector<LogLine> lines = log_lines(output);
  return std::any_of(lines.begin(), lines.end(), [](const LogLine& line) { return line.text == kEnd; });
}

std::vector<HeardOfNccl> heard_of_nccl(const std::string& output, std::size_t communicators) {
  std::vector<HeardOfNccl> heard;
  std::string failure;  // of the process
  for (const LogLine& line : log_lines(output)) {
    const bool begins = line.text == kNext;
    if ((begins || line.text == kEnd) && !heard.empty() && heard.back().failure == kUntold)
      heard.back().failure.clear();
    if (begins && heard.size() < communicators) heard.push_back({.log = "", .failure = kUntold});
    if (line.text.starts_with(kFailure))
      (heard.empty() ? failure : heard.back().failure) = line.text.substr(kFailure.size());
    else if (!begins && line.text != kEnd && !heard.empty())
      heard.back().log.append(line.text).append("\n");
  }
  heard.resize(communicators, {.log = "", .failure = failure.empty() ? kUntold : failure});
  return heard;
}

}  // namespace mgbench
