#include "bench/calibration/import_job.h"

#include <fmt/format.h>

#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "report/calibration_report.h"
#include "report/forms.h"

namespace mgbench {
namespace {

/// Removes what it has written when a later file cannot be.
std::vector<std::filesystem::path> write_all(const std::vector<Calibration>& calibrations, const RunConfig& config) {
  std::vector<std::filesystem::path> written;
  try {
    for (const Calibration& calibration : calibrations)
      written.push_back(write_new_file(config.output,
                                       fmt::format("{}-import-{}ranks", utc_now_for_file_name(), calibration.ranks),
                                       ".yaml", to_yaml(calibration)));
  } catch (...) {
    std::error_code ignored;
    for (const std::filesystem::path& path : written) std::filesystem::remove(path, ignored);
    throw;
  }
  return written;
}

}  // namespace

ImportedLogs import_named_logs(const RunConfig& config) {
  std::vector<LogFile> files;
  for (const std::string& name : config.imports) files.push_back({name, read_file(name)});
  return import_logs(files, {.ranks = config.planned_ranks, .log = {.out_of_place = config.out_of_place}});
}

ExitCode import_calibrations(const RunConfig& config) {
  ImportedLogs imported = import_named_logs(config);
  for (Calibration& calibration : imported.calibrations) {
    calibration.provenance["command"] = config.command;
    calibration.provenance["imported.date"] = utc_now();
  }
  require_writable_folder(config.output);
  const std::vector<std::filesystem::path> paths = write_all(imported.calibrations, config);
  Json json = Json::array();
  for (const Calibration& calibration : imported.calibrations) {
    if (config.json)
      json.push_back(json_form(calibration));
    else
      fmt::print("{}\n", format_calibration(calibration));
  }
  if (config.json) fmt::print("{}\n", write_json(json));
  for (const std::string& remark : imported.remarks) fmt::print(stderr, "mgbench: {}\n", remark);
  for (const std::filesystem::path& path : paths) fmt::print(stderr, "mgbench: calibration: {}\n", path.string());
  return ExitCode::ok;
}

}  // namespace mgbench
