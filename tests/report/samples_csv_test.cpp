#include "report/samples_csv.h"

#include <gtest/gtest.h>

#include <utility>

#include "report/hostile_text.h"

namespace mgbench {
namespace {

using Row = std::vector<std::string>;

/// RFC 4180, written anew: fields by commas, rows by CR LF, doubled quotes inside of quotes.
std::vector<Row> parse_csv(const std::string& text) {
  std::vector<Row> rows;
  Row row;
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted) {
      if (text[i] != '"')
        field += text[i];
      else if (text.compare(i + 1, 1, "\"") == 0)
        field += text[i++];
      else
        quoted = false;
    } else if (text[i] == '"') {
      EXPECT_EQ(field, "") << "a quote inside of a plain field";
      quoted = true;
    } else if (text[i] == ',') {
      row.push_back(std::exchange(field, ""));
    } else if (text.compare(i, 2, "\r\n") == 0) {
      row.push_back(std::exchange(field, ""));
      rows.push_back(std::exchange(row, {}));
      ++i;
    } else {
      field += text[i];
    }
  }
  EXPECT_TRUE(row.empty() && field.empty() && !quoted) << "the last line has no end";
  return rows;
}

TEST(SamplesCsv, HasEverySampleExactly) {
  const NamedResult named{"a.json", example_run()};
  const std::vector<Row> rows = parse_csv(samples_csv({named, named}));
  std::size_t next = 0;
  EXPECT_EQ(rows[next].front(), "result");
  EXPECT_EQ(rows[next++].back(), "rejected");
  for (int copy = 0; copy < 2; ++copy)
    for (const StrategyResult& strategy : named.result.strategies)
      for (const Sample& sample : strategy.samples) {
        ASSERT_LT(next, rows.size());
        const Row& row = rows[next++];
        ASSERT_EQ(row.size(), rows[0].size());
        EXPECT_EQ(row[0], "a.json");
        EXPECT_EQ(row[1], strategy.strategy);
        EXPECT_EQ(std::stoi(row[2]), sample.round);
        EXPECT_EQ(std::stoi(row[3]), sample.position);
        EXPECT_EQ(std::stoi(row[4]), sample.slowest_rank);
        EXPECT_EQ(std::stod(row[5]), sample.iteration);
        EXPECT_EQ(std::stod(row[6]), sample.forward);
        EXPECT_EQ(std::stod(row[7]), sample.backward);
        EXPECT_EQ(std::stod(row[8]), sample.exposed);
        EXPECT_EQ(std::stod(row[9]), sample.update);
        EXPECT_EQ(row[10], sample.rejected ? "true" : "false");
      }
  EXPECT_EQ(next, rows.size());
}

TEST(SamplesCsv, NamesAreNeitherFieldsNorFormulas) {
  for (const std::string& name : hostile_texts()) {
    RunResult result = example_run(1);
    result.strategies.resize(1);
    result.strategies[0].strategy = name;
    result.strategies[0].samples[0].exposed = -1e-6;
    const std::vector<Row> rows = parse_csv(samples_csv({{name, result}}));
    ASSERT_EQ(rows.size(), 2U) << name;
    ASSERT_EQ(rows[1].size(), 11U) << name;
    const bool formula = std::string("=+-@\t\r").find(name.front()) != std::string::npos;
    for (const std::string& field : {rows[1][0], rows[1][1]}) EXPECT_EQ(field, formula ? "'" + name : name);
    EXPECT_EQ(std::stod(rows[1][8]), -1e-6) << "numbers stay numbers";
  }
}

}  // namespace
}  // namespace mgbench
