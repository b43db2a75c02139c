#include "report/markdown_report.h"

#include <fmt/format.h>

#include "report/markdown_text.h"
#include "report/summary.h"
#include "report/summary_table.h"

namespace mgbench {
namespace {

Table environment_table(const Environment& environment) {
  Table table({{"environment", "", Table::Align::left}, {"", "", Table::Align::left}});
  for (const auto& [name, value] : environment) table.add({name, value});
  return table;
}

Table difference_table(const std::vector<NamedResult>& results) {
  std::vector<Table::Column> columns{{"differs", "", Table::Align::left}};
  for (const NamedResult& named : results) columns.push_back({named.file, "", Table::Align::left});
  Table table(columns);
  for (const EnvironmentDifference& difference : environment_differences(results)) {
    std::vector<std::string> cells{difference.key};
    for (const auto& value : difference.values) cells.push_back(value.value_or("(not set)"));
    table.add(std::move(cells));
  }
  return table;
}

std::string section(const RunResult& result) {
  const std::vector<std::string> sentences = summary_sentences(result);
  std::string text = fmt::format("## {}\n\n{}\n\n", markdown_text(run_title(result)), markdown_text(sentences.front()));
  text += summary_table(summarize(result), !result.emulated.empty()).markdown() + '\n';
  for (std::size_t i = 1; i < sentences.size(); ++i) text += fmt::format("- {}\n", markdown_text(sentences[i]));
  if (!result.command.empty()) text += '\n' + markdown_code(result.command);
  return text + fmt::format("\n<details><summary>Environment</summary>\n\n{}\n</details>\n",
                            environment_table(result.environment).markdown());
}

}  // namespace

std::string markdown_report(const std::vector<NamedResult>& results) {
  std::string text;
  for (const NamedResult& named : results) text += (text.empty() ? "" : "\n") + section(named.result);
  if (results.size() > 1) text += "\n## Environments\n\n" + difference_table(results).markdown();
  return text;
}

}  // namespace mgbench
