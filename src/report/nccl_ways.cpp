#include "report/nccl_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mgbench {
namespace {

/// In the order of NCCL's table.
std::vector<std::string> algorithms_of(const std::vector<NcclOffer>& offers) {
  std::vector<std::string> algorithms;
  for (const NcclOffer& offer : offers)
    if (std::find(algorithms.begin(), algorithms.end(), offer.algorithm) == algorithms.end())
      algorithms.push_back(offer.algorithm);
  return algorithms;
}

std::vector<std::string> protocols_of(const std::vector<NcclOffer>& offers, const std::string& algorithm, bool had) {
  std::vector<std::string> protocols;
  for (const NcclOffer& offer : offers)
    if (offer.algorithm == algorithm && (offer.bandwidth > 0) == had) protocols.push_back(offer.protocol);
  return protocols;
}

}  // namespace

std::vector<NcclWay> ways_to_try(const std::vector<NcclOffer>& offers) {
  std::vector<NcclWay> ways;
  for (const std::string& algorithm : algorithms_of(offers)) {
    const std::vector<std::string> protocols = protocols_of(offers, algorithm, true);
    if (!protocols.empty()) ways.push_back({algorithm, ""});
    if (protocols.size() > 1)
      for (const std::string& protocol : protocols) ways.push_back({algorithm, protocol});
  }
  return ways;
}

std::vector<std::string> not_offered(const std::vector<NcclOffer>& offers) {
  std::vector<std::string> names;
  for (const std::string& algorithm : algorithms_of(offers)) {
    if (protocols_of(offers, algorithm, true).empty()) {
      names.push_back(algorithm);
      continue;
    }
    for (const std::string& protocol : protocols_of(offers, algorithm, false))
      names.push_back(NcclWay{algorithm, protocol}.name());
  }
  return names;
}

std::string deviation(const NcclWay& way, const std::vector<NcclChoice>& said, const std::vector<Bytes>& sizes) {
  std::map<Bytes, const NcclChoice*> by_size;
  for (const NcclChoice& choice : said) by_size[choice.bytes] = &choice;
  for (const Bytes bytes : sizes) {
    const auto found = by_size.find(bytes);
    if (found == by_size.end()) return fmt::format("NCCL did not say what it took at {}", format_bytes(bytes));
    const NcclChoice& choice = *found->second;
    if (!is_same_nccl_name(choice.algorithm, way.algorithm) ||
        (!way.protocol.empty() && !is_same_nccl_name(choice.protocol, way.protocol)))
      return fmt::format("NCCL took {}/{} at {} all the same", choice.algorithm, choice.protocol, format_bytes(bytes));
  }
  return "";
}

std::set<Bytes> same_choices(const std::vector<NcclChoice>& left, const std::vector<NcclChoice>& right) {
  std::set<Bytes> same;
  for (const NcclChoice& choice : left)
    if (std::find(right.begin(), right.end(), choice) != right.end()) same.insert(choice.bytes);
  return same;
}

}  // namespace mgbench
