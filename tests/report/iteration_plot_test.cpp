#include "report/iteration_plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/examples.h"

namespace mgbench {
namespace {

SummaryRow row_of(const std::string& strategy, double low, double median, double high) {
  SummaryRow row;
  row.strategy = strategy;
  row.iteration = {.median = median, .interval = Interval{low, high}, .samples = 8};
  return row;
}

TEST(IterationPlot, PutsMediansInsideOfTheirIntervals) {
  const std::vector<SummaryRow> rows{row_of("slow", 0.110, 0.115, 0.119), row_of("fast", 0.100, 0.101, 0.103)};
  EXPECT_EQ(iteration_plot(rows, 26, false),
            "      100.0       119.0 ms\n"
            "slow            |----o---|\n"
            "fast  |o-|\n");
  EXPECT_EQ(iteration_plot(rows, 26, true),
            "      100.0       119.0 ms\n"
            "slow            |----o---|\n"
            "fast  \033[32m|o-|\033[0m\n");
}

TEST(IterationPlot, AMedianWithoutAnIntervalIsAMark) {
  std::vector<SummaryRow> rows{row_of("a", 0, 0.1, 0), row_of("b", 0, 0.119, 0)};
  for (SummaryRow& each : rows) each.iteration.interval.reset();
  EXPECT_EQ(iteration_plot(rows, 23, false),
            "   100.0       119.0 ms\n"
            "a  o\n"
            "b                     o\n");
}

TEST(IterationPlot, LeavesOutWhatHasNoTimes) {
  std::vector<SummaryRow> rows{row_of("a", 0.1, 0.2, 0.3), row_of("b", 0.2, 0.3, 0.4), row_of("c", 1, 2, 3)};
  rows[2].failure = "sums are wrong";
  const std::string text = iteration_plot(rows, 80, false);
  EXPECT_EQ(text.find('c'), std::string::npos) << text;
  EXPECT_NE(text.find("400.0 ms"), std::string::npos) << text;
}

TEST(IterationPlot, IsEmptyWhereNothingCompares) {
  EXPECT_EQ(iteration_plot({}, 80, false), "");
  EXPECT_EQ(iteration_plot({row_of("a", 0.1, 0.2, 0.3)}, 80, false), "");
  EXPECT_EQ(iteration_plot({row_of("a", 0.1, 0.1, 0.1), row_of("b", 0.1, 0.1, 0.1)}, 80, false), "");
}

TEST(IterationPlot, FitsEveryWidthFrom46On) {
  std::vector<SummaryRow> rows = summarize(example_run());
  rows.push_back(row_of(std::string(300, 'n'), 0.01, 0.2, 3));
  for (std::size_t width = 46; width < 130; width += 7) {
    std::istringstream lines(iteration_plot(rows, width, false));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), width) << line;
    EXPECT_EQ(count, rows.size() + 1);
  }
}

}  // namespace
}  // namespace mgbench
