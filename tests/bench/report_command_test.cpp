// `mgbench report` as a user types it, wrong input to it, and its page in a browser.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/hostile_text.h"
#include "report/iteration_plot.h"
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

  void refused(std::vector<std::string> words, const std::vector<std::string>& parts) const {
    words.insert(words.begin(), "report");
    expect_refused(words, parts);
  }
};

TEST_F(Report, PrintsTheSummary) {
  const ProgramResult result = report({write_result()});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, format_summary(hostile_result().result) + "\n");
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"a.json"});
}

TEST_F(Report, PrintsSeveralSummariesByNameAndHowEnvironmentsDiffer) {
  write_result();
  RunResult other = hostile_result().result;
  const std::string summary = format_summary(other);
  other.environment["library.mpi"] = "MPICH 4.0";
  folder_.write("b.json", to_json(other));
  const ProgramResult result = report({"a.json", "b.json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.output, "a.json\n" + summary + "\nb.json\n" + summary +
                               "\nEnvironments differ:\n  library.mpi\n    b.json: MPICH 4.0\n"
                               "    a.json: Open MPI 4.1.4\n");
}

TEST_F(Report, PlotsIterationsOnATerminalAndColorsThemUnlessToldNotTo) {
  folder_.write("a.json", to_json(example_run()));
  const std::string plain = report({"a.json"}).output;
  const auto rows = summarize(example_run());
  EXPECT_EQ(on_terminal("report a.json", "-u NO_COLOR TERM=xterm"), plain + iteration_plot(rows, 80, true) + "\n");
  EXPECT_EQ(on_terminal("report a.json", "NO_COLOR=1 TERM=xterm"), plain + iteration_plot(rows, 80, false) + "\n");
  EXPECT_EQ(on_terminal("report a.json", "-u NO_COLOR TERM=dumb"), plain + iteration_plot(rows, 80, false) + "\n");
  EXPECT_EQ(plain.find('\033'), std::string::npos);
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
  EXPECT_EQ(text_in("new/page.html").find("<!doctype html>"), 0U);
  EXPECT_EQ(text_in("samples.csv").find("result,strategy,round,"), 0U);
  EXPECT_EQ(text_in("summary.md").find("## EMULATED"), 0U);
  EXPECT_GT(nlohmann::json::parse(text_in("trace")).at("traceEvents").size(), 100U);
}

TEST_F(Report, ReplacesAnEarlierPageButNoMeasurement) {
  const std::string good = write_result();
  write_result("b.json");
  folder_.write("c.yaml", to_yaml(example_calibration(8)));
  folder_.write("page.html", "an earlier one");
  const ProgramResult result = report({"a.json", "--html", "page.html"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "mgbench: html: page.html\n");
  EXPECT_EQ(text_in("page.html").find("<!doctype html>"), 0U);
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"a.json", "b.json", "c.yaml", "page.html"}));
  for (const std::string option : {"--html", "--csv", "--markdown", "--trace"})
    for (const std::string file : {"a.json", "b.json", "c.yaml"}) {
      const std::string before = text_in(file);
      refused({good, option, file}, {option + " " + file + ": a measurement, which would be lost"});
      EXPECT_EQ(text_in(file), before);
    }
}

TEST_F(Report, RefusesWrongInput) {
  const std::string good = write_result();
  const std::string text = text_in("a.json");
  std::filesystem::create_directory(folder_.path() / "folder");
  refused({}, {"result", "required"});
  refused({"nothing.json"}, {"nothing.json: no such file"});
  refused({"folder"}, {"folder: not a file"});
  refused({good, folder_.write("cut.json", text.substr(0, text.find('\n', text.size() / 2)))},
          {"cut.json:", "unexpected end"});
  refused({folder_.write("list.json", "[]")}, {"list.json", "expected a mapping"});
  refused({folder_.write("other.json", R"({"schema": 99})")}, {"other.json: schema: 99 is of a newer mgbench"});
  refused({folder_.write("binary", std::string("\x7f\x45LF\0\1", 6))}, {"binary", "not JSON"});
  refused({folder_.write("plain.yaml", "a: 1\n"), "--html", "x.html"}, {"plain.yaml", "not JSON"});
  refused({good, "--html", "folder"}, {"--html folder: a folder, expected the name of a file"});
  refused({good, "--csv", "new/"}, {"--csv new/: a folder"});
  refused({good, "--hmtl", "x"}, {"--hmtl", "did you mean '--html'"});
  refused({good, "--trace", "a.json/trace"}, {"a.json: the results folder cannot be made"});
}

/// The page's elements after its scripts have run, and what the browser had to say; the test is skipped without it.
class ReportPage : public Report {
 protected:
  void SetUp() override {
    if (run_program({"chromium", "--version"}, folder_.path()).exit_code != 0)
      GTEST_SKIP() << "chromium is not installed: the page was not opened";
  }

  ProgramResult open(const std::string& page) const {
    return run_program({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                        "--virtual-time-budget=5000", "--user-data-dir=" + (folder_.path() / "browser").string(),
                        "--dump-dom", "--window-size=1400,900", "file://" + (folder_.path() / page).string()},
                       folder_.path());
  }

  /// The page with one more script at its end.
  void write_scripted(const std::string& name, const std::string& script) const {
    std::string page = text_in("page.html");
    page.insert(page.rfind("</body>"), "<script>addEventListener('load', () => {" + script + "});</script>");
    folder_.write(name, page);
  }

  /// The page in a frame so many pixels wide, since windows have at least 500; `data-page` says how it looks there.
  ProgramResult open_framed(int width) const {
    write_scripted("framed.html", R"(
      const {dataset: {charts, figures}} = document.body;
      const fits = document.documentElement.scrollWidth <= innerWidth;
      parent.postMessage(`${innerWidth}: ${fits ? 'fits' : 'too wide'}, ${charts} of ${figures} charts`, '*');)");
    folder_.write("frame.html",
                  fmt::format("<body><script>addEventListener('message', ({{data}}) => document.body.dataset.page = "
                              "data);</script><iframe src='framed.html' width='{}' height='900'></iframe></body>",
                              width));
    return open("frame.html");
  }

  /// Every chart is there and has something in it, and the browser has nothing to say.
  static void expect_charts(const ProgramResult& page, std::size_t count) {
    EXPECT_EQ(page.errors.find("CONSOLE"), std::string::npos) << page.errors;
    const std::string charts = kPageEcharts.empty()
                                   ? "data-figures=\"0\""
                                   : fmt::format("data-charts=\"{}\" data-figures=\"{}\"", count, count);
    EXPECT_NE(page.output.find(charts), std::string::npos) << page.output.substr(page.output.find("<body"), 200);
    EXPECT_EQ(page.output.find("<p class=\"warning\">Charts are missing") == std::string::npos, !kPageEcharts.empty());
  }
};

TEST_F(ReportPage, DrawsEveryChartWithoutAnError) {
  write_result();
  ASSERT_EQ(report({"a.json", "--html", "page.html"}).exit_code, 0);
  const ProgramResult page = open("page.html");
  // Iterations, gradients, errors, calibration, residuals and ranks, and a timeline of each of six strategies.
  expect_charts(page, 12);
  EXPECT_NE(page.output.find("<p class=\"verdict\">On the emulated"), std::string::npos);
  EXPECT_NE(page.output.find("Ranks that end backward late"), std::string::npos);
}

TEST_F(ReportPage, FitsWhateverItsNamesAre) {
  write_result();
  ASSERT_EQ(report({"a.json", "--html", "page.html"}).exit_code, 0);
  for (const int width : {390, 1280}) {
    const ProgramResult page = open_framed(width);
    const std::string seen = kPageEcharts.empty() ? fmt::format("{}: fits, undefined of 0 charts", width)
                                                  : fmt::format("{}: fits, 12 of 12 charts", width);
    EXPECT_NE(page.output.find("data-page=\"" + seen + '"'), std::string::npos) << page.output;
    EXPECT_EQ(page.errors.find("CONSOLE"), std::string::npos) << page.errors;
  }
}

TEST_F(ReportPage, SortsTablesByTheirHeadings) {
  write_result();
  ASSERT_EQ(report({"a.json", "--html", "page.html"}).exit_code, 0);
  write_scripted("scripted.html", R"(
    const table = document.querySelector('table');
    const column = 2;  // iterations
    const values = () => [...table.tBodies[0].rows].map(row => row.cells[column].sorted).filter(value => value !== null);
    const heading = table.tHead.rows[0].cells[column];
    const seen = [];
    for (let click = 0; click < 3; ++click) {
      heading.querySelector('button').click();
      const sorted = values();
      const rises = sorted.every((value, index) => index === 0 || sorted[index - 1] <= value);
      const falls = sorted.every((value, index) => index === 0 || sorted[index - 1] >= value);
      seen.push(`${heading.getAttribute('aria-sort')} ${rises ? 'rises' : falls ? 'falls' : 'neither'}`);
    }
    document.body.dataset.page = `${new Set(values()).size > 2} ${seen}`;)");
  const ProgramResult page = open("scripted.html");
  EXPECT_NE(page.output.find("data-page=\"true ascending rises,descending falls,ascending rises\""), std::string::npos)
      << page.output.substr(page.output.find("<body"), 300);
}

TEST_F(ReportPage, SaysInATooltipWhatAMarkIs) {
  if (kPageEcharts.empty()) GTEST_SKIP() << "built without charts";
  write_result();
  ASSERT_EQ(report({"a.json", "--html", "page.html"}).exit_code, 0);
  write_scripted("scripted.html", R"(
    const tip = ({chart, place}) => {
      for (const [seriesIndex, {data}] of chart.getOption().series.entries())
        for (let dataIndex = 0; dataIndex < (data?.length ?? 0); ++dataIndex) {
          chart.dispatchAction({type: 'showTip', seriesIndex, dataIndex});
          const text = place.querySelector('.tooltip')?.innerText;
          if (text) return text;
        }
      return '';
    };
    const texts = figures.map(tip);
    document.body.dataset.page = texts.filter(text => text === '').length;
    document.body.dataset.timeline = texts[1].replaceAll('\n', '; ');)");
  const ProgramResult page = open("scripted.html");
  EXPECT_EQ(page.errors.find("CONSOLE"), std::string::npos) << page.errors;
  EXPECT_NE(page.output.find("data-page=\"0\""), std::string::npos)
      << page.output.substr(page.output.find("<body"), 400);
  EXPECT_NE(page.output.find("data-timeline=\"forward, predicted; 0 µs to "), std::string::npos)
      << page.output.substr(page.output.find("<body"), 400);
}

TEST_F(ReportPage, PutsSeveralResultsSideBySide) {
  for (const int ranks : {2, 4}) {
    RunResult result = hostile_result().result;
    result.emulated.clear();
    result.ranks = ranks;
    result.calibration = example_calibration(ranks);
    result.environment["library.mpi"] = std::to_string(ranks);
    folder_.write(std::to_string(ranks) + ".json", to_json(result));
  }
  ASSERT_EQ(report({"2.json", "4.json", "--html", "page.html"}).exit_code, 0);
  const ProgramResult page = open("page.html");
  expect_charts(page, 2 * 12 + 1);
  EXPECT_NE(page.output.find("<td class=\"text\">library.mpi</td><td class=\"text\">2</td><td class=\"text\">4</td>"),
            std::string::npos);
  EXPECT_NE(page.output.find("<h2>Scaling: "), std::string::npos);
}

}  // namespace
}  // namespace mgbench
