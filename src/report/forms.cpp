#include "report/forms.h"

namespace mgbench {

Json json_form(const Interval& interval) {
  return Json::array({interval.low, interval.high});
}

Interval read_interval(const Value& value) {
  const std::vector<Value> bounds = value.items();
  if (bounds.size() != 2) value.wrong("{} numbers are not an interval, expected [low, high]", bounds.size());
  const Interval interval{bounds[0].number(-1e9, 1e9), bounds[1].number(-1e9, 1e9)};
  if (interval.low > interval.high) value.wrong("the interval is upside down, expected [low, high]");
  return interval;
}

Json json_form(const MedianEstimate& seconds) {
  return {{"median_seconds", seconds.median},
          {"interval_seconds", seconds.interval ? json_form(*seconds.interval) : Json()},
          {"samples", seconds.samples}};
}

MedianEstimate read_seconds_estimate(const Value& value) {
  value.fields({"median_seconds", "samples"}, {"interval_seconds"});
  MedianEstimate estimate;
  estimate.median = value.at("median_seconds").seconds();
  if (const auto interval = value.find("interval_seconds")) estimate.interval = read_interval(*interval);
  estimate.samples = value.at("samples").integer<std::size_t>(1, 1'000'000'000);
  return estimate;
}

}  // namespace mgbench
