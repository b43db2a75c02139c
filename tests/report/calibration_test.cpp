#include "report/calibration.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "report/calibration_report.h"
#include "report/equal.h"
#include "report/examples.h"
#include "report/json.h"
#include "report/random_values.h"

namespace mgbench {
namespace {

std::string error_of(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  try {
    calibration_from_yaml(text, "c.yaml");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(Bandwidth, IsBytesByTime) {
  EXPECT_DOUBLE_EQ(algorithm_bandwidth(1000, 2e-6), 5e8);
  EXPECT_DOUBLE_EQ(bus_bandwidth(2, 1000, 2e-6), 5e8);
  EXPECT_DOUBLE_EQ(bus_bandwidth(8, 1000, 2e-6), 5e8 * 14 / 8);
}

TEST(Calibration, PlansWithTheLineOfTheEngineWhereItFits) {
  const CostModel cost = example_calibration().planning_cost();
  EXPECT_TRUE(cost.is_line());
  EXPECT_NEAR(cost.line().a, 5.23e-4, 1e-9);
  EXPECT_NEAR(cost.line().b, 8.571e-10, 1e-15);
}

TEST(Calibration, PlansWithTheCurveWhereTheLineDoesNotFit) {
  Calibration calibration = example_calibration();
  CalibrationCurve& engine = calibration.curves[1];
  for (CalibrationPoint& point : engine.points)
    if (point.bytes > 100'000) point.seconds *= 3;
  engine.fit_points();
  const CostModel cost = calibration.planning_cost();
  EXPECT_FALSE(cost.is_line());
  EXPECT_EQ(cost.time(Collective::allreduce, engine.points[3].bytes), engine.points[3].seconds);
  EXPECT_EQ(cost.line().a, engine.fit.line.a);
}

TEST(Calibration, PlansWithTheLibraryWhereThereIsNoEngine) {
  Calibration calibration = example_calibration();
  EXPECT_EQ(calibration.planning_curve().name, "engine");
  calibration.curves.pop_back();
  EXPECT_EQ(calibration.planning_curve().name, "library");
  EXPECT_NEAR(calibration.planning_cost().line().a, 2.0e-4, 1e-9);
  const std::string report = format_calibration(calibration);
  EXPECT_NE(report.find("Planned with: The line: "), std::string::npos) << report;
}

TEST(Calibration, NamesItsCurves) {
  try {
    example_calibration().find("engin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the calibration has no curve 'engin'; did you mean 'engine'? choices: library, engine");
  }
}

RC_GTEST_PROP(CalibrationFile, ReadsBackExactly, ()) {
  const Calibration calibration = random_calibration();
  RC_ASSERT(equal(calibration_from_yaml(to_yaml(calibration), "c.yaml"), calibration));
}

TEST(CalibrationFile, WithoutALibraryIsOfMpi) {
  std::string text = to_yaml(example_calibration());
  const std::string line = "library: MPI\n";
  ASSERT_NE(text.find(line), std::string::npos);
  text.erase(text.find(line), line.size());
  EXPECT_EQ(calibration_from_yaml(text, "c.yaml").library, "MPI");
}

TEST(CalibrationFile, SaysWhatIsWrong) {
  const std::string text = to_yaml(example_calibration());
  EXPECT_EQ(error_of(text, "ranks: 8", "rank: 8"),
            "c.yaml:7: rank: unknown key; did you mean 'ranks'? choices: schema, ranks, curves, library, emulated, "
            "left_out_above_bytes, provenance");
  EXPECT_EQ(error_of(text, "bytes: 4096", "bytes: 1024"),
            "c.yaml:19: curves[0].points[1].bytes: 1024 follows 1024, expected increasing sizes");
  EXPECT_EQ(error_of(text, "samples: 30", "samples: 0"),
            "c.yaml:18: curves[0].points[0].samples: '0' is not valid, expected a whole number from 1 to "
            "1000000000");
  EXPECT_NE(error_of(text, "interval_seconds: [", "interval_seconds: [9, ").find("3 numbers are not an interval"),
            std::string::npos);
  EXPECT_NE(error_of(text, "interval_seconds: [", "interval_seconds: [9, 1], x: [").find("points[0].x: unknown key"),
            std::string::npos);
  EXPECT_EQ(error_of(text, "points:\n", "points: []\n    poinst:\n"),
            "c.yaml:19: curves[0].poinst: unknown key; did you mean 'points'? choices: name, communicator, "
            "points, fit, calls, spikes");
  EXPECT_EQ(error_of(text, text.substr(text.find("curves:")), "curves: []\n"),
            "c.yaml:13: curves: an empty list, expected at least one curve");
  Calibration neither = example_calibration();
  neither.curves.resize(1);
  neither.curves[0].name = "librari";
  EXPECT_NE(error_of(to_yaml(neither), "", "").find("curves: the calibration has no curve 'library'; did you mean"),
            std::string::npos);
}

TEST(CalibrationReport, ShowsBandwidthsLineAndChoice) {
  const std::string text = format_calibration(example_calibration());
  EXPECT_NE(text.find("engine: mpi-async"), std::string::npos);
  // 64 MiB in 58.04 ms: 1.16 GB/s, times 14/8.
  EXPECT_NE(text.find(" 64.0 MiB    58 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("    1.156   2.023      +0.0"), std::string::npos) << text;
  EXPECT_NE(text.find("Line: a = 523 us ("), std::string::npos) << text;
  EXPECT_NE(text.find("Planned with: The line: "), std::string::npos) << text;
  EXPECT_EQ(text.find("EMULATED"), std::string::npos);
}

TEST(CalibrationReport, MarksEmulationAndWhatWasLeftOut) {
  Calibration calibration = example_calibration();
  calibration.emulated = "10GbE";
  calibration.left_out_above = Bytes{64} << 20;
  const std::string text = format_calibration(calibration);
  EXPECT_EQ(text.find("EMULATED 10GbE: Allreduce over 8 ranks"), 0U) << text;
  EXPECT_NE(text.find("Messages above 64.0 MiB did not fit the time budget"), std::string::npos);
  EXPECT_NE(to_yaml(calibration).find("emulated: 10GbE  # not a measurement"), std::string::npos);
}

TEST(CalibrationReport, HasAJsonForm) {
  const auto json = nlohmann::json::parse(calibration_to_json(example_calibration()));
  EXPECT_EQ(json["ranks"], 8);
  EXPECT_NEAR(json["curves"][1]["fit"]["a_seconds"].get<double>(), 5.23e-4, 1e-9);
  EXPECT_EQ(json["curves"][1]["points"][0]["bytes"], 1024);
}

}  // namespace
}  // namespace mgbench
