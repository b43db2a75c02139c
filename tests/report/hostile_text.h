#pragma once

#include <string>
#include <vector>

#include "planner/timeline.h"
#include "report/examples.h"
#include "report/named_result.h"

namespace mgbench {

/// Names that a host, a path or a plan may have, each a trap for one of the forms.
inline std::vector<std::string> hostile_texts() {
  return {"</script><script>alert(1)</script>",
          "<!--<script>",
          "{{style}}",
          "a\"b'c&amp;d",
          "node|one\nnode|two\r\n",
          "=HYPERLINK(\"http://example.org\")",
          "+1",
          "-1+cmd",
          "@sum",
          "\ttab",
          "```",
          "\xF0\x9F\x90\xA2 turtle",
          std::string(300, 'n')};
}

/// A run whose timelines hold the messages of its plans, and whose every name is hostile.
inline NamedResult hostile_result() {
  const std::vector<std::string> texts = hostile_texts();
  RunResult result = example_run();
  std::size_t next = 0;
  const auto text = [&] { return texts[next++ % texts.size()]; };
  for (Profile::Step& step : result.profile.steps)
    for (Tensor& tensor : step.tensors) tensor.name += text();
  for (StrategyResult& each : result.strategies) {
    each.predicted = predict(result.profile, make_schedule(result.profile, MergePlan(each.group_ends)),
                             result.calibration.planning_cost());
    each.measured = each.predicted;
    for (MessageTimes& times : each.measured.messages) times.end += 1e-4;
    each.strategy += text();
  }
  result.command = "mgbench run " + text();
  result.computation = RankTimes{.typical = 0.17, .slow = 1};
  for (const std::string& name : texts) {
    result.environment["host." + name] = name;
    result.remarks.push_back(name);
    if (result.computation->slowest.size() < 10)
      result.computation->slowest.push_back({.rank = static_cast<int>(result.computation->slowest.size()),
                                             .host = name,
                                             .seconds = 0.2,
                                             .ratio = 1.2,
                                             .slow = result.computation->slowest.empty()});
  }
  result.strategies.front().arrival = result.computation;
  return {text() + ".json", result};
}

}  // namespace mgbench
