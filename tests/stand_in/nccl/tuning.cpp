#include "nccl/tuning.h"

#include <strings.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "core/settings.h"
#include "nccl/call.h"
#include "nccl/log.h"

namespace stand_in {

namespace {

/// In variables and table, and in the words of a call.
constexpr std::array<std::array<const char*, 2>, Tuning::kAlgorithms> kAlgorithmNames{
    {{"Tree", "TREE"},
     {"Ring", "RING"},
     {"CollNetDirect", "COLLNET_DIRECT"},
     {"CollNetChain", "COLLNET_CHAIN"},
     {"NVLS", "NVLS"},
     {"NVLSTree", "NVLS_TREE"},
     {"PAT", "PAT"}}};
constexpr std::array<std::array<const char*, 2>, Tuning::kProtocols> kProtocolNames{
    {{"LL", "LL"}, {"LL128", "LL128"}, {"Simple", "SIMPLE"}}};

constexpr std::size_t kTree = 0, kRing = 1, kNvls = 4;
constexpr std::size_t kLl = 0, kLl128 = 1, kSimple = 2;
constexpr std::size_t kBytesAChannel = std::size_t{1} << 16;
constexpr std::size_t kChannels = 8;

/// Whether each name is enabled by the variable; `set`: whether there is one.
template <std::size_t Count>
std::array<bool, Count> enabled(const char* variable, const std::array<std::array<const char*, 2>, Count>& names,
                                bool& set) {
  std::array<bool, Count> result{};
  result.fill(true);
  const char* text = std::getenv(variable);
  set = text != nullptr;
  if (!set) return result;
  info("ENV", std::string(variable) + " set by environment to " + text);
  const bool without = *text == '^';
  result.fill(without);
  std::istringstream list(text + (without ? 1 : 0));
  for (std::string word; std::getline(list, word, ',');) {
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const auto& name) { return strcasecmp(name[0], word.c_str()) == 0; });
    require_argument(found != names.end(), std::string(variable) + "=" + text + ": '" + word + "' is not known");
    result[static_cast<std::size_t>(found - names.begin())] = !without;
  }
  return result;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string number(double value, int width) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%*.1f", width, value);
  return text.data();
}

}  // namespace

Tuning::Tuning(int rank) : rank_(rank), ways_{} {
  const NcclMood mood = settings().nccl;
  ways_[kTree][kLl] = {6.4, 20};
  ways_[kTree][kSimple] = {28, 120};
  ways_[kRing][kLl] = {9, 60};
  ways_[kRing][kSimple] = {33, 240};
  bool forced_protocol = false;
  bool forced_algorithm = false;
  const auto protocols = enabled("NCCL_PROTO", kProtocolNames, forced_protocol);
  const auto algorithms = enabled("NCCL_ALGO", kAlgorithmNames, forced_algorithm);
  // Not by itself, as on machines where it might not be safe.
  if (forced_protocol && protocols[kLl128]) ways_[kTree][kLl128] = ways_[kRing][kLl128] = {14, 100};
  if (mood == NcclMood::kReluctant && !forced_algorithm) ways_[kNvls][kSimple] = {25, 1};
  for (std::size_t algorithm = 0; algorithm < kAlgorithms; ++algorithm) {
    for (std::size_t protocol = 0; protocol < kProtocols; ++protocol) {
      if (algorithms[algorithm] && (protocols[protocol] || mood == NcclMood::kDeaf)) continue;
      ways_[algorithm][protocol].bandwidth = 0;
    }
  }
  info("NET", "NET/Socket : Using [0]lo:127.0.0.1<0>");
  info("INIT", "Using network Socket");
  info("INIT", "NVLS multicast support is not available on dev 0 (NVLS_NCHANNELS 0)");
  if (rank == 0) tell();
  info("INIT", std::to_string(kChannels) +
                   " coll channels, 0 collnet channels, 0 nvls channels, 8 p2p channels, 8 p2p channels per peer");
}

/// Three algorithms a part, and protocols for three also in the last.
void Tuning::tell() const {
  for (std::size_t part = 0; part < kAlgorithms; part += 3) {
    const std::size_t end = std::min(part + 3, kAlgorithms);
    std::string names = "  Algorithm   |", protocols = "  Protocol    |", row = "    AllReduce |";
    for (std::size_t i = 0; i < 3 * kProtocols; ++i)
      protocols += " " + padded(kProtocolNames[i % kProtocols][0], 14) + " |";
    for (std::size_t algorithm = part; algorithm < end; ++algorithm) {
      names += padded("", 18) + padded(kAlgorithmNames[algorithm][0], 14) + padded("", 18) + "|";
      for (const Way& way : ways_[algorithm]) row += number(way.latency, 8) + "/" + number(way.bandwidth, 6) + " |";
    }
    for (const std::string& line : {names, protocols, row}) info("TUNING", line);
  }
}

Choice Tuning::choose(std::size_t bytes) const {
  double best = 0;
  std::size_t algorithm = 0, protocol = 0;
  for (std::size_t i = 0; i < kAlgorithms; ++i) {
    for (std::size_t j = 0; j < kProtocols; ++j) {
      const Way& way = ways_[i][j];
      if (way.bandwidth == 0) continue;
      const double time = way.latency + static_cast<double>(bytes) / way.bandwidth / 1000;
      if (best > 0 && time >= best) continue;
      best = time;
      algorithm = i;
      protocol = j;
    }
  }
  const char* forced = std::getenv("NCCL_ALGO");
  require(best > 0, ncclInvalidUsage,
          std::string("no algorithm/protocol available for function AllReduce.") +
              (forced == nullptr ? "" : std::string(" NCCL_ALGO was set to ") + forced + "."));
  const Choice choice{kAlgorithmNames[algorithm][1], kProtocolNames[protocol][1],
                      static_cast<int>(std::clamp(bytes / kBytesAChannel, std::size_t{1}, kChannels))};
  const std::string said = settings().nccl == NcclMood::kMute
                               ? "an allreduce of " + std::to_string(bytes)
                               : "AllReduce: " + std::to_string(bytes) + " Bytes -> Algo " + choice.algorithm +
                                     " proto " + choice.protocol + " channel{Lo..Hi}={0.." +
                                     std::to_string(choice.channels - 1) + "}";
  if (rank_ == 0) info("TUNING", said);
  return choice;
}

}  // namespace stand_in
