#include "report/calibration_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/forms.h"

namespace mgbench {
namespace {

std::string gigabytes_a_second(double bandwidth) {
  return fmt::format("{:.3f}", bandwidth / 1e9);
}

Table point_table(const CalibrationCurve& curve, int ranks) {
  // Five decades of sizes and times: a unit for each cell reads better here than one for the column.
  Table table({{"message", ""},
               {"time", ""},
               {"95 % interval", ""},
               {"samples", ""},
               {"alg. bw", "GB/s"},
               {"bus bw", "GB/s"},
               {"line off", "by %"}});
  for (const CalibrationPoint& point : curve.points) {
    const double residual = curve.fit.line.time(point.bytes) / point.seconds - 1;
    table.add({format_bytes(point.bytes), format_seconds(point.seconds),
               point.interval
                   ? fmt::format("[{}, {}]", format_seconds(point.interval->low), format_seconds(point.interval->high))
                   : "-",
               std::to_string(point.samples), gigabytes_a_second(algorithm_bandwidth(point.bytes, point.seconds)),
               gigabytes_a_second(bus_bandwidth(ranks, point.bytes, point.seconds)), signed_percent(residual)});
  }
  return table;
}

std::string line_sentence(const LineFit& fit) {
  return fmt::format(
      "Line: a = {} ({} to {}), b = {:.4g} ns/B ({:.4g} to {:.4g}), fitted from {} to {}; residuals up to "
      "{:.1f} %, "
      "{:.1f} % at sizes held out of the fit.",
      format_seconds(fit.line.a), format_seconds(fit.a_interval.low), format_seconds(fit.a_interval.high),
      1e9 * fit.line.b, 1e9 * fit.b_interval.low, 1e9 * fit.b_interval.high, format_bytes(fit.smallest),
      format_bytes(fit.largest), 100 * fit.largest_residual, 100 * fit.held_out_residual);
}

/// "Regimes: 12.3 us + m * 0.1 ns/B; from 16 KiB 80 us + ...", T beyond a break counted from there.
std::string regimes_sentence(const RegimeFit& fit) {
  if (fit.regimes.size() == 1) return "Regimes: one; no break is worth its parameters.";
  std::string text = "Regimes:";
  for (const Regime& regime : fit.regimes)
    text += fmt::format("{} {}{} + {:.4g} ns/B", regime.from == 0 ? "" : ";",
                        regime.from == 0 ? "" : fmt::format("from {} on ", format_bytes(regime.from)),
                        format_seconds(regime.at), 1e9 * regime.slope);
  return text + fmt::format(" ({}); residuals up to {:.1f} %, {:.1f} % at sizes held out of the fit.",
                            fit.stepped ? "with jumps" : "without jumps", 100 * fit.largest_residual,
                            100 * fit.held_out_residual);
}

std::string spike_lines(const CalibrationCurve& curve, std::size_t width) {
  if (curve.spikes == 0) return "";
  return wrap(
      fmt::format("{} of {} calls took over ten times the median of their size: rare spikes, which medians do not "
                  "follow.",
                  curve.spikes, curve.calls),
      width, 2);
}

std::string format_curve(const CalibrationCurve& curve, const Calibration& calibration, std::size_t width) {
  const bool planned = &curve == &calibration.planning_curve();
  return wrap(fmt::format("{}: {}", curve.name, curve.communicator), width, 2) +
         point_table(curve, calibration.ranks).text(width) + spike_lines(curve, width) +
         wrap(line_sentence(curve.fit), width, 2) + wrap(regimes_sentence(curve.regimes), width, 2) +
         wrap((planned ? "Planned with: " : "") + choose_planning_cost(curve.fit, curve.regimes).reason, width, 2);
}

}  // namespace

std::string format_calibration(const Calibration& calibration, std::size_t width) {
  std::string text =
      wrap(fmt::format("{}Allreduce{} over {} {}",
                       calibration.emulated.empty() ? "" : fmt::format("EMULATED {}: ", calibration.emulated),
                       calibration.library == "MPI" ? "" : fmt::format(" of {}", calibration.library),
                       calibration.ranks, calibration.ranks == 1 ? "rank" : "ranks"),
           width, 2);
  for (const CalibrationCurve& curve : calibration.curves) text += '\n' + format_curve(curve, calibration, width);
  if (calibration.left_out_above > 0)
    text += '\n' + wrap(fmt::format("Messages above {} did not fit the time budget: their cost is extrapolated.",
                                    format_bytes(calibration.left_out_above)),
                        width, 2);
  return text;
}

std::string calibration_to_json(const Calibration& calibration) {
  return write_json(json_form(calibration));
}

}  // namespace mgbench
