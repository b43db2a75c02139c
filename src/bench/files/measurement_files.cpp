#include "bench/files/measurement_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "bench/files/files.h"

namespace mgbench {

Measurement read_measurement(const std::string& file) {
  return measurement_from_text(read_file(file), file);
}

std::vector<Measurement> read_measurements(const std::vector<std::string>& files) {
  std::vector<Measurement> measurements;
  for (const std::string& file : files) measurements.push_back(read_measurement(file));
  return measurements;
}

std::vector<Measurement> read_results_of_folder(const std::string& folder) {
  std::error_code error;
  require(std::filesystem::is_directory(folder, error), "{}: not a folder", folder);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  require(!error, "{}: cannot be read: {}", folder, error.message());
  std::sort(files.begin(), files.end());

  std::vector<Measurement> measurements;
  std::vector<std::string> left_out;
  for (const std::string& file : files) {
    try {
      measurements.push_back(read_measurement(file));
    } catch (const Error& reason) {
      left_out.emplace_back(reason.what());
    }
  }
  require(!measurements.empty(), "{}: no result of mgbench run in it{}", folder,
          left_out.empty() ? "" : "; " + left_out.front());
  for (const std::string& reason : left_out) fmt::print(stderr, "mgbench: left out: {}\n", reason);
  return measurements;
}

std::vector<Criterion> read_criteria(const std::string& criteria) {
  const std::filesystem::path path = find_config("acceptance", criteria);
  return criteria_from_yaml(read_file(path), path.string());
}

}  // namespace mgbench
