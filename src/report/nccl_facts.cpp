#include "report/nccl_facts.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace mgbench {
namespace {

/// Neighbouring sizes that are summed alike, whatever the number of channels.
struct Range {
  const NcclChoice* first = nullptr;
  const NcclChoice* last = nullptr;
  int least = 0;  ///< channels
  int most = 0;
};

std::vector<Range> ranges_of(const std::vector<NcclChoice>& choices) {
  std::vector<Range> ranges;
  for (const NcclChoice& choice : choices) {
    if (ranges.empty() || ranges.back().first->algorithm != choice.algorithm ||
        ranges.back().first->protocol != choice.protocol)
      ranges.push_back({.first = &choice, .last = &choice, .least = choice.channels, .most = choice.channels});
    Range& range = ranges.back();
    range.last = &choice;
    range.least = std::min(range.least, choice.channels);
    range.most = std::max(range.most, choice.channels);
  }
  return ranges;
}

std::string text_of(const Range& range) {
  const std::string channels =
      range.least == range.most ? std::to_string(range.most) : fmt::format("{} to {}", range.least, range.most);
  const std::string sizes = range.first == range.last ? format_bytes(range.first->bytes)
                                                      : fmt::format("{} to {}", format_bytes(range.first->bytes),
                                                                    format_bytes(range.last->bytes));
  return fmt::format("{}/{}, {} channel{}: {}", range.first->algorithm, range.first->protocol, channels,
                     range.most == 1 ? "" : "s", sizes);
}

}  // namespace

std::map<std::string, std::string> nccl_facts(const NcclWords& words, const std::string& why) {
  const std::string unsaid = "NCCL did not say" + (why.empty() ? "" : ": " + why);
  std::map<std::string, std::string> facts{
      {"nccl.allreduce", unsaid}, {"nccl.network", unsaid}, {"nccl.nvls", unsaid}, {"nccl.channels", unsaid}};
  if (!words.allreduce.empty()) {
    std::vector<std::string> texts;
    for (const Range& range : ranges_of(words.allreduce)) texts.push_back(text_of(range));
    facts["nccl.allreduce"] = fmt::format("{}", fmt::join(texts, "; "));
  }
  if (!words.network.empty())
    facts["nccl.network"] = fmt::format(
        "{}: {}", words.network,
        words.adapters ? fmt::format("{}", fmt::join(*words.adapters, ", ")) : "its adapters were not said");
  if (words.nvls) facts["nccl.nvls"] = *words.nvls ? "available" : "not available";
  if (words.channels)
    facts["nccl.channels"] = fmt::format("{}, of NVLS {}", *words.channels, words.nvls_channels.value_or(0));
  return facts;
}

}  // namespace mgbench
