#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/import/import_logs.h"

namespace mgbench {

/// A text, and the whole message with which it is refused.
struct Refusal {
  std::string name;
  std::string text;
  std::string message;
  std::optional<int> ranks = std::nullopt;
};

inline void PrintTo(const Refusal& refusal, std::ostream* stream) {
  *stream << refusal.name;
}

inline ImportedLogs import_text(const std::string& text, std::optional<int> ranks = std::nullopt,
                                bool out_of_place = false) {
  return import_logs({{"x.log", text}}, {.ranks = ranks, .log = {.out_of_place = out_of_place}});
}

/// What the only calibration of a text holds.
inline Calibration only_calibration(const std::string& text, std::optional<int> ranks = std::nullopt,
                                    bool out_of_place = false) {
  const ImportedLogs imported = import_text(text, ranks, out_of_place);
  EXPECT_EQ(imported.calibrations.size(), 1U);
  return imported.calibrations.at(0);
}

inline void expect_points(const Calibration& calibration, const Curve& expected) {
  const std::vector<CalibrationPoint>& points = calibration.find("library").points;
  ASSERT_EQ(points.size(), expected.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].bytes, expected[i].bytes);
    EXPECT_NEAR(points[i].seconds, expected[i].seconds, 1e-12 * expected[i].seconds) << points[i].bytes;
  }
}

inline void expect_refused(const Refusal& refusal) {
  try {
    import_text(refusal.text, refusal.ranks);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    EXPECT_STREQ(error.what(), refusal.message.c_str());
  }
}

}  // namespace mgbench
