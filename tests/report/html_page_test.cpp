#include "report/html_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "report/hostile_text.h"
#include "report/page/texts.h"
#include "report/page_data.h"
#include "report/summary.h"

namespace mgbench {
namespace {

using ParsedJson = nlohmann::json;

std::size_t count(std::string text, const std::string& part) {
  const auto lower = [](unsigned char c) { return static_cast<char>(std::tolower(c)); };
  std::transform(text.begin(), text.end(), text.begin(), lower);
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

/// What a browser takes for the text of the element: up to the first end tag, whatever is inside.
std::string island(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

TEST(HtmlPage, ItsDataReadBack) {
  const std::vector<NamedResult> results{hostile_result(), {"b.json", example_run()}};
  const ParsedJson data = ParsedJson::parse(island(html_page(results)));
  EXPECT_EQ(data, ParsedJson::parse(page_data(results).dump()));
  const ParsedJson& first = data.at("results").at(0);
  EXPECT_EQ(first.at("file"), results[0].file);
  EXPECT_EQ(first.at("environment").get<Environment>(), results[0].result.environment);
  EXPECT_EQ(first.at("rank_computation").at("slowest").at(0).at("host"), hostile_texts().front());
  EXPECT_EQ(first.at("sentences").get<std::vector<std::string>>(), summary_sentences(results[0].result));
}

TEST(HtmlPage, NoNameIsMarkup) {
  const std::string plain = html_page({{"a.json", example_run()}});
  NamedResult hostile = hostile_result();
  hostile.result.model = "<script>&\"'</title><script>";  // stands in the title
  const std::string page = html_page({hostile});
  for (const char* part : {"<script", "</script", "<!--", "</title"})
    EXPECT_EQ(count(page, part), count(plain, part)) << part;
  EXPECT_NE(page.find("{{style}}"), std::string::npos) << "a name, not a place to fill in";
  EXPECT_EQ(count(page, "<title>mgbench: emulated 10gbe as 64 ranks | &lt;script&gt;&amp;&quot;&#39;&lt;/title&gt;"),
            1U);
}

TEST(HtmlPage, AsksNoNetwork) {
  std::string page = html_page({{"a.json", example_run()}});
  // The library holds such words, and the policy forbids them.
  const std::string library(kPageEcharts);
  ASSERT_NE(page.find("<script>" + library + "</script>"), std::string::npos);
  page.erase(page.find("<script>" + library + "</script>") + 8, library.size());
  EXPECT_NE(page.find("content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'\""),
            std::string::npos);
  for (const char* part : {"<script src", "<link", "<img", "@import", "url("}) EXPECT_EQ(count(page, part), 0U) << part;
}

TEST(HtmlPage, StaysSmall) {
  // 64 ranks, 161 tensors, six strategies of 1,000 samples, as a large cluster would give.
  RunResult result = example_run(1000);
  result.ranks = 64;
  result.profile.steps.clear();
  for (int i = 0; i < 161; ++i)
    result.profile.steps.push_back({.name = "step",
                                    .forward = 1e-3,
                                    .backward = 2e-3,
                                    .tensors = {{"layer4.2.downsample.0.weight" + std::to_string(i), 4096}}});
  for (StrategyResult& each : result.strategies) {
    each.group_ends.resize(161);
    for (std::size_t t = 0; t < 161; ++t) each.group_ends[t] = t + 1;
    each.predicted = predict(result.profile, make_schedule(result.profile, MergePlan(each.group_ends)),
                             result.calibration.planning_cost());
    each.measured = each.predicted;
  }
  for (int rank = 0; rank < 64; ++rank) result.environment["host." + std::to_string(rank)] = std::string(200, 'h');
  EXPECT_LT(html_page({{"a.json", result}}).size(), 8'000'000U);
}

TEST(PageData, ThinsSamplesEvenly) {
  RunResult result = example_run(10'001);
  result.strategies.resize(1);
  const ParsedJson data = ParsedJson::parse(page_data({{"a.json", result}}).dump());
  const ParsedJson& strategy = data.at("results").at(0).at("strategies").at(0);
  EXPECT_EQ(strategy.at("stride"), 6);
  ASSERT_EQ(strategy.at("samples").size(), 1667U);
  const Sample& last = result.strategies[0].samples[9996];
  EXPECT_EQ(strategy.at("samples").back(), ParsedJson({last.round, last.position, last.iteration, 0}));
  EXPECT_EQ(strategy.at("iteration").at("samples"), 2501) << "rounds: the median is that of all";
}

TEST(PageData, TensorsAreInReadyOrder) {
  const ParsedJson data = ParsedJson::parse(page_data({{"a.json", example_run()}}).dump());
  const ParsedJson& tensors = data.at("results").at(0).at("tensors");
  ASSERT_EQ(tensors.size(), 6U);
  EXPECT_EQ(tensors[0][0], "fc.weight");
  EXPECT_NEAR(tensors[0][2].get<double>(), 0.084, 1e-12);
  EXPECT_EQ(tensors[5][0], "conv1.weight");
  EXPECT_NEAR(tensors[5][2].get<double>(), 0.174, 1e-12);
}

TEST(PageData, NamesRanksThatAreLateUnderAStrategy) {
  const ParsedJson data = ParsedJson::parse(page_data({hostile_result()}).dump());
  const ParsedJson& latest = data.at("results").at(0).at("strategies").at(0).at("arrival").at("slowest").at(0);
  EXPECT_EQ(latest.at("host"), hostile_texts().front());
  EXPECT_EQ(latest.at("slow"), true);
}

TEST(PageData, HasScalingOfRealInterconnectsOnly) {
  RunResult result = example_run();
  EXPECT_TRUE(page_data({{"a.json", result}}).at("scaling").empty()) << "it is emulated";
  result.emulated.clear();
  const Json scaling = page_data({{"a.json", result}}).at("scaling");
  ASSERT_EQ(scaling.size(), 1U);
  const Json& curve = scaling.at(0).at("curves").at(0);
  EXPECT_EQ(curve.at("strategy"), result.strategies.front().strategy);
  EXPECT_EQ(curve.at("measured").at(0).at(0), result.ranks);
  EXPECT_EQ(curve.at("measured").at(0).at(1), result.strategies.front().iteration().median);
  EXPECT_EQ(curve.at("simulated").size(), 12U);
}

TEST(PageData, HasNothingWhereNothingWasMeasured) {
  RunResult result = example_run();
  result.calibration.curves.clear();
  result.strategies.resize(1);
  result.strategies[0].samples.clear();
  result.strategies[0].measured = {};
  const ParsedJson data = ParsedJson::parse(page_data({{"a.json", result}}).dump());
  const ParsedJson& form = data.at("results").at(0);
  EXPECT_TRUE(form.at("curves").is_null());
  EXPECT_TRUE(form.at("rank_computation").is_null());
  EXPECT_TRUE(form.at("strategies").at(0).at("measured").is_null());
  EXPECT_TRUE(form.at("strategies").at(0).at("iteration").is_null());
}

}  // namespace
}  // namespace mgbench
