#include "report/chrome_trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "report/hostile_text.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

/// Bars by (process, thread), having checked that each event is one that viewers take and that no lane overlaps.
std::map<std::pair<int, int>, std::vector<Json>> tracks_of(const std::string& text) {
  std::map<std::pair<int, int>, std::vector<Json>> tracks;
  std::map<std::pair<int, int>, std::int64_t> ends;
  const Json trace = Json::parse(text);
  for (const Json& event : trace.at("traceEvents")) {
    const std::pair track{event.at("pid").get<int>(), event.at("tid").get<int>()};
    EXPECT_GE(event.at("ts").get<double>(), 0) << event;
    EXPECT_TRUE(event.at("name").is_string()) << event;
    if (event.at("ph") == "M") continue;
    EXPECT_EQ(event.at("ph"), "X") << event;
    EXPECT_GE(event.at("dur").get<double>(), 0) << event;
    // Viewers count whole nanoseconds.
    const auto begin = std::llround(1e3 * event.at("ts").get<double>());
    EXPECT_GE(begin, ends[track]) << event;
    ends[track] = begin + std::llround(1e3 * event.at("dur").get<double>());
    tracks[track].push_back(event);
  }
  return tracks;
}

TEST(ChromeTrace, HasTheTimelinesOfEveryStrategy) {
  const NamedResult named = hostile_result();
  const auto tracks = tracks_of(chrome_trace({named}));
  EXPECT_EQ(tracks.size(), 4 * named.result.strategies.size());
  for (std::size_t s = 0; s < named.result.strategies.size(); ++s) {
    const StrategyResult& strategy = named.result.strategies[s];
    const int process = static_cast<int>(s) + 1;
    for (const auto& [thread, timeline] : {std::pair{1, &strategy.predicted}, std::pair{3, &strategy.measured}}) {
      const std::vector<Json>& computation = tracks.at({process, thread});
      ASSERT_EQ(computation.size(), 3U);
      EXPECT_EQ(computation[1].at("name"), "backward");
      EXPECT_NEAR(computation[1].at("ts").get<double>(), 1e6 * timeline->forward_end, 1e-3);
      EXPECT_NEAR(computation[1].at("dur").get<double>(), 1e6 * (timeline->backward_end - timeline->forward_end), 2e-3);
      const std::vector<Json>& messages = tracks.at({process, thread + 1});
      ASSERT_EQ(messages.size(), strategy.group_ends.size());
      for (std::size_t m = 0; m < messages.size(); ++m)
        EXPECT_NEAR(messages[m].at("args").at("ready_us").get<double>(), 1e6 * timeline->messages[m].ready, 1e-3);
    }
  }
}

TEST(ChromeTrace, NamesMessagesByTheirTensors) {
  NamedResult named{"a.json", example_run()};
  named.result.strategies = {strategy(named.result, "mg-wfbp")};
  StrategyResult& only = named.result.strategies.front();
  only.predicted.messages = {{0.1, 0.1, 0.11}, {0.12, 0.12, 0.13}, {0.14, 0.14, 0.15}};
  const std::vector<Json> messages = tracks_of(chrome_trace({named})).at({1, 2});
  EXPECT_EQ(messages[0].at("name"), "fc.weight to fc.bias (2 tensors)");
  EXPECT_EQ(messages[0].at("args").at("bytes"), 8196000);
  EXPECT_EQ(messages[1].at("args").at("tensors"), Json({"layer1.0.conv1.weight", "bn1.weight", "bn1.bias"}));
  EXPECT_EQ(messages[2].at("name"), "conv1.weight");
}

TEST(ChromeTrace, SaysWhichResultAProcessIsOf) {
  const std::string text = chrome_trace({{"a.json", example_run()}, {"b.json", example_run()}});
  EXPECT_NE(text.find("\"a.json: mg-wfbp\""), std::string::npos);
  EXPECT_NE(text.find("\"b.json: mg-wfbp\""), std::string::npos);
}

TEST(ChromeTrace, StaysInOrderWhateverTheTimelineHolds) {
  NamedResult named = hostile_result();
  Timeline& timeline = named.result.strategies.front().measured;
  timeline.forward_end = -1;
  timeline.backward_end = -2;
  timeline.messages = {{0.1, 0.5, 0.2}, {0, 0.1, 0.6}, {0, -1, -0.5}};
  tracks_of(chrome_trace({named}));
}

TEST(ChromeTrace, HasNoTrackOfWhatWasNotMeasured) {
  NamedResult named = hostile_result();
  named.result.strategies.resize(1);
  named.result.strategies.front().measured = {};
  EXPECT_EQ(tracks_of(chrome_trace({named})).size(), 2U);
}

}  // namespace
}  // namespace mgbench
