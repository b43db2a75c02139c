// `mgbench report` as a user types it, wrong input to it, and its page in a browser.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/hostile_text.h"
#include "report/page/texts.h"
#include "report/summary.h"
#include "support/commands.h"

namespace mgbench {
namespace {

class Report : public Commands {
 protected:
  ProgramResult report(std::vector<std::string> words) const {
    words.insert(words.begin(), "report");
    return mgbench(std::move(words));
  }

  std::string write_result(const std::string& name = "a.json") const {
    return folder_.write(name, to_json(hostile_result().result));
  }

  std::string saved(const std::string& name) const { return text_of((folder_.path() / name).string()); }

  /// One line that holds all of `parts`, exit 2, nothing written.
  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& parts) const {
    const auto before = folder_.names();
    const ProgramResult result = report(words);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    for (const std::string& part : parts)
      EXPECT_NE(result.errors.find(part), std::string::npos) << part << "\n" << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(folder_.names(), before);
  }
};

TEST_F(Report, PrintsTheSummary) {
  const ProgramResult result = report({write_result()});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, format_summary(hostile_result().result) + "\n");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"a.json"});
}

TEST_F(Report, PrintsSeveralSummariesByName) {
  write_result();
  write_result("b.json");
  const ProgramResult result = report({"a.json", "b.json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string summary = format_summary(hostile_result().result);
  EXPECT_EQ(result.output, "a.json\n" + summary + "\nb.json\n" + summary + "\n");
}

TEST_F(Report, SavesEveryForm) {
  write_result();
  const ProgramResult result = report(
      {"a.json", "--html", "new/page.html", "--csv", "samples.csv", "--markdown", "summary.md", "--trace", "trace"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors,
            "mgbench: html: new/page.html\nmgbench: csv: samples.csv\nmgbench: markdown: summary.md\n"
            "mgbench: trace: trace\n");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"a.json", "new", "samples.csv", "summary.md", "trace"}));
  EXPECT_EQ(saved("new/page.html").find("<!doctype html>"), 0U);
  EXPECT_EQ(saved("samples.csv").find("result,strategy,round,"), 0U);
  EXPECT_EQ(saved("summary.md").find("## EMULATED"), 0U);
  EXPECT_GT(nlohmann::json::parse(saved("trace")).at("traceEvents").size(), 100U);
}

TEST_F(Report, ReplacesAnEarlierPageButNoMeasurement) {
  const std::string good = write_result();
  write_result("b.json");
  folder_.write("c.yaml", to_yaml(example_calibration(8)));
  folder_.write("page.html", "an earlier one");
  const ProgramResult result = report({"a.json", "--html", "page.html"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "mgbench: html: page.html\n");
  EXPECT_EQ(saved("page.html").find("<!doctype html>"), 0U);
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"a.json", "b.json", "c.yaml", "page.html"}));
  for (const std::string option : {"--html", "--csv", "--markdown", "--trace"})
    for (const std::string file : {"a.json", "b.json", "c.yaml"}) {
      const std::string before = saved(file);
      expect_refused({good, option, file}, {option + " " + file + ": a measurement, which would be lost"});
      EXPECT_EQ(saved(file), before);
    }
}

TEST_F(Report, RefusesWrongInput) {
  const std::string good = write_result();
  const std::string text = saved("a.json");
  std::filesystem::create_directory(folder_.path() / "folder");
  expect_refused({}, {"result", "required"});
  expect_refused({"nothing.json"}, {"nothing.json: no such file"});
  expect_refused({"folder"}, {"folder: not a file"});
  expect_refused({good, folder_.write("cut.json", text.substr(0, text.size() / 2))}, {"cut.json:", "unexpected end"});
  expect_refused({folder_.write("list.json", "[]")}, {"list.json", "expected a mapping"});
  expect_refused({folder_.write("other.json", R"({"schema": 99})")}, {"other.json: schema: '99'"});
  expect_refused({folder_.write("binary", std::string("\x7f\x45LF\0\1", 6))}, {"binary", "not JSON"});
  expect_refused({folder_.write("plain.yaml", "a: 1\n"), "--html", "x.html"}, {"plain.yaml", "not JSON"});
  expect_refused({good, "--html", "folder"}, {"--html folder: a folder, expected the name of a file"});
  expect_refused({good, "--csv", "new/"}, {"--csv new/: a folder"});
  expect_refused({good, "--hmtl", "x"}, {"--hmtl", "did you mean '--html'"});
  expect_refused({good, "--trace", "a.json/trace"}, {"a.json: the results folder cannot be made"});
}

/// The page's elements after its scripts have run, and what the browser had to say; the test is skipped without it.
class ReportPage : public Report {
 protected:
  void SetUp() override {
    if (run_program({"chromium", "--version"}, folder_.path()).exit_code != 0)
      GTEST_SKIP() << "chromium is not installed: the page was not opened";
    write_result();
    ASSERT_EQ(report({"a.json", "--html", "page.html"}).exit_code, 0);
  }

  ProgramResult open(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"chromium",
                                   "--headless",
                                   "--no-sandbox",
                                   "--disable-gpu",
                                   "--enable-logging=stderr",
                                   "--virtual-time-budget=5000",
                                   "--user-data-dir=" + (folder_.path() / "browser").string(),
                                   "--dump-dom"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("file://" + (folder_.path() / "page.html").string());
    return run_program(words, folder_.path());
  }
};

TEST_F(ReportPage, DrawsEveryChartWithoutAnError) {
  for (const char* width : {"1280", "390"}) {
    const ProgramResult result = open({"--window-size=" + std::string(width) + ",900"});
    EXPECT_EQ(result.errors.find("CONSOLE"), std::string::npos) << result.errors;
    // Iterations, gradients, errors, calibration, residuals and ranks, and a timeline of each of six strategies.
    const std::string charts = kPageEcharts.empty() ? "data-figures=\"0\"" : "data-charts=\"12\" data-figures=\"12\"";
    EXPECT_NE(result.output.find(charts), std::string::npos) << result.output.substr(result.output.find("<body"), 200);
    EXPECT_EQ(result.output.find("<p class=\"warning\">Charts are missing") == std::string::npos,
              !kPageEcharts.empty());
    EXPECT_NE(result.output.find("<p class=\"verdict\">On the emulated"), std::string::npos);
  }
}

}  // namespace
}  // namespace mgbench
