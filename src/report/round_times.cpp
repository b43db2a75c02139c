#include "report/round_times.h"

namespace mgbench {

RoundTimes round_times(const std::vector<Sample>& samples, Seconds Sample::*component) {
  std::map<int, std::vector<double>> values;
  for (const Sample& sample : samples)
    if (!sample.rejected) values[sample.round].push_back(sample.*component);
  RoundTimes times;
  for (const auto& [round, of_round] : values) times[round] = median(of_round);
  return times;
}

MedianEstimate median_of_rounds(const RoundTimes& times) {
  std::vector<double> values;
  for (const auto& [round, time] : times) values.push_back(time);
  return values.empty() ? MedianEstimate{} : estimate_median(values);
}

std::optional<MedianEstimate> ratio_by_rounds(const RoundTimes& other, const RoundTimes& own) {
  std::vector<double> others;
  std::vector<double> owns;
  for (const auto& [round, time] : other) {
    const auto partner = own.find(round);
    if (partner == own.end()) continue;
    others.push_back(time);
    owns.push_back(partner->second);
  }
  if (owns.empty()) return std::nullopt;
  return estimate_ratio(others, owns);
}

}  // namespace mgbench
