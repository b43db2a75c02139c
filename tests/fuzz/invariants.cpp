#include "fuzz/invariants.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/printable.h"
#include "report/calibration_report.h"
#include "report/chrome_trace.h"
#include "report/comparison.h"
#include "report/criteria.h"
#include "report/equal.h"
#include "report/export.h"
#include "report/figure_lines.h"
#include "report/history.h"
#include "report/html_page.h"
#include "report/import/log_text.h"
#include "report/markdown_report.h"
#include "report/plan_report.h"
#include "report/profile_file.h"
#include "report/profile_report.h"
#include "report/samples_csv.h"
#include "report/summary.h"

namespace mgbench {
namespace {

constexpr const char* kFile = "saved";

void check_time(Seconds seconds, const char* what) {
  expect(std::isfinite(seconds) && seconds > 0 && seconds <= 1e9, what);
}

/// Writing replaces bytes that are not UTF-8, once.
void check_saved(const Calibration& calibration) {
  const std::string text = to_yaml(calibration);
  const Calibration again = calibration_from_yaml(text, kFile);
  expect(to_yaml(again) == text, "a calibration changes when it is saved");
  if (is_utf8(text) && text.find("\xef\xbf\xbd") == std::string::npos)
    expect(equal(again, calibration), "a calibration does not read back");
}

/// What `mgbench plan` says of it, with one message.
void check_plans(const Profile& profile) {
  constexpr std::size_t kMost = 300;  // more take long
  const std::size_t tensors = ready_tensors(profile).size();
  if (tensors == 0 || tensors > kMost) return;
  const CostModel cost(Line{.a = 1e-5, .b = 1e-9});
  const MergePlan plan = MergePlan({tensors});
  check_for_terminal(
      format_plans(profile, cost, {{"one message", plan, predict(profile, make_schedule(profile, plan), cost)}}));
  for (const ExportEntry& entry : exports()) try {
      check_for_terminal(entry.text({.profile = profile,
                                     .profile_file = kFile,
                                     .cost = cost,
                                     .cost_name = "a line",
                                     .library = "",
                                     .emulated = "",
                                     .ranks = 8}));
    } catch (const Error&) {  // what the tool cannot be told
    }
}

}  // namespace

void check_for_terminal(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  expect(printable(text) == text, "a text for people holds control characters");
}

void check_invariants(const Calibration& calibration) {
  expect(calibration.ranks >= 1, "ranks");
  expect(!calibration.curves.empty(), "curves");
  for (const CalibrationCurve& curve : calibration.curves) {
    expect(curve.points.size() >= 3, "points");
    Bytes before = 0;
    for (const CalibrationPoint& point : curve.points) {
      expect(point.bytes > before && point.bytes <= Bytes{1} << 40, "sizes increase");
      check_time(point.seconds, "time of a point");
      expect(point.samples >= 1, "samples");
      before = point.bytes;
    }
    expect(curve.fit.line.a > 0 && curve.fit.line.b > 0, "line");
    check_time(CostModel(curve.curve(), curve.fit.line).time(Collective::allreduce, 1 << 20), "time of the cost model");
  }
  check_saved(calibration);
  check_for_terminal(format_calibration(calibration));
  calibration_to_json(calibration);
}

void check_invariants(const Profile& profile) {
  const std::vector<ReadyTensor> ready = ready_tensors(profile);
  Seconds before = 0;
  for (const ReadyTensor& tensor : ready) {
    expect(tensor.bytes > 0 && tensor.bytes <= Bytes{1} << 40, "size of a tensor");
    expect(std::isfinite(tensor.ready) && tensor.ready >= before, "ready times do not fall");
    before = tensor.ready;
  }
  const std::string text = to_yaml(profile);
  const Profile again = profile_from_yaml(text, kFile);
  expect(to_yaml(again) == text, "a profile changes when it is saved");
  if (is_utf8(text) && text.find("\xef\xbf\xbd") == std::string::npos)
    expect(equal(again, profile), "a profile does not read back");
  check_for_terminal(format_profile(profile));
  check_plans(profile);
}

void check_invariants(const Interconnect& interconnect) {
  expect(!interconnect.allreduce.empty(), "lines");
  for (const auto& [ranks, line] : interconnect.allreduce) {
    expect(ranks >= 2, "ranks");
    for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::all_gather})
      check_time(interconnect.cost(ranks).time(collective, 1), "time of the cost model");
  }
}

void check_invariants(const DeviceFigures& device) {
  expect(!device.throughput.empty(), "throughput");
  for (const ModelEntry& entry : models()) {
    if (!device.throughput.contains(entry.name)) continue;
    try {
      check_invariants(estimated_profile(entry.make(), device));
    } catch (const Error&) {  // an update longer than the iteration
    }
  }
}

void check_invariants(const RunResult& result) {
  const std::string text = to_json(result);
  const RunResult again = run_result_from_json(text, kFile);
  expect(to_json(again) == text, "a result changes when it is saved");
  check_for_terminal(format_summary(result));
  check_for_terminal(format_figures(run_figures(result)));
}

void check_invariants(const NamedResult& named) {
  for (const auto& form : {html_page, samples_csv, markdown_report, chrome_trace})
    expect(!form({named}).empty(), "an empty form of a result");
}

void check_invariants(const Measurement& measurement) {
  for (const Metric& metric : measurement.metrics) {
    expect(std::isfinite(metric.value.median), "a metric that is not finite");
    expect(metric_name(metric.name) == metric.name, "a metric that criteria cannot name");
  }
  const Comparison comparison = compare({measurement}, measurement, {});
  expect(comparison.count(Verdict::worse) == 0, "worse than itself");
  check_for_terminal(format_comparison(comparison));
  comparison_to_markdown(comparison);
  comparison_to_junit(comparison);
  comparison_to_json(comparison);
  check_for_terminal(format_histories(histories({measurement})));
  try {
    const std::vector<Criterion> criteria = criteria_from_yaml(criteria_template(measurement), kFile);
    const std::vector<Checked> checked = check_criteria(criteria, {measurement});
    expect(exit_code(checked) == ExitCode::ok, "fails its own criteria");
    check_for_terminal(format_checked(checked));
  } catch (const Error&) {  // nothing in it to make criteria from
  }
}

}  // namespace mgbench
