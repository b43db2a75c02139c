#include "report/markdown_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/hostile_text.h"
#include "report/markdown_text.h"
#include "report/summary.h"

namespace mgbench {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Bars that part cells.
std::size_t bars(const std::string& line) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '|')
      ++count;
  }
  return count;
}

TEST(MarkdownReport, HasVerdictTableAndEnvironment) {
  const RunResult result = example_run();
  const std::string text = markdown_report({{"a.json", result}});
  EXPECT_EQ(text.find("## EMULATED 10GbE as 64 ranks \\| resnet50 on onednn"), 0U) << text;
  EXPECT_NE(text.find(markdown_text(summary_sentences(result).front())), std::string::npos);
  EXPECT_NE(text.find("| mg-wfbp | 3 | "), std::string::npos) << text;
  EXPECT_NE(text.find("| library.mpi | Open MPI 4.1.4 |"), std::string::npos);
  EXPECT_NE(text.find("```\n" + result.command + "\n```"), std::string::npos);
  EXPECT_EQ(text.find("## Environments"), std::string::npos) << "there is one only";
}

TEST(MarkdownReport, NamesStayInTheirCells) {
  NamedResult other = hostile_result();
  other.result.environment["host.=x"] = "|";
  const std::vector<std::string> lines = lines_of(markdown_report({hostile_result(), other}));
  std::size_t columns = 0;
  std::size_t tables = 0;
  for (const std::string& line : lines) {
    if (line.empty() || line.front() != '|') {
      columns = 0;
      continue;
    }
    if (columns == 0) ++tables;
    if (columns == 0) columns = bars(line);
    EXPECT_EQ(bars(line), columns) << line;
  }
  EXPECT_EQ(tables, 5U) << "two of each result, and the differences";
}

TEST(MarkdownReport, SaysWhereEnvironmentsDiffer) {
  RunResult other = example_run();
  other.environment["library.mpi"] = "MPICH 4.0";
  other.environment["variable.UCX_TLS"] = "tcp";
  const std::string text = markdown_report({{"a.json", example_run()}, {"b.json", other}});
  const std::string tail = text.substr(text.find("## Environments"));
  EXPECT_EQ(tail,
            "## Environments\n\n| differs | a.json | b.json |\n| --- | --- | --- |\n"
            "| library.mpi | Open MPI 4.1.4 | MPICH 4.0 |\n| variable.UCX\\_TLS | (not set) | tcp |\n");
}

}  // namespace
}  // namespace mgbench
