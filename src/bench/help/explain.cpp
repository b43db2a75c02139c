#include "bench/help/explain.h"

#include <fmt/format.h>

#include <initializer_list>

#include "report/table.h"

namespace mgbench {
namespace {

std::string four_lines(const std::string& name, const Explanation& explanation) {
  return fmt::format("{}\n  does     {}\n  formula  {}\n  best     {}\n  source   {}\n", name, explanation.does,
                     explanation.formula, explanation.best, explanation.source);
}

std::string paragraphs(const std::string& name, std::initializer_list<std::string> texts) {
  constexpr std::size_t kWidth = 78;
  std::string result = name + "\n";
  for (const std::string& text : texts) result += "  " + wrap(text, kWidth - 2, 2);
  return result;
}

std::string sizes(const ModelSpec& model) {
  constexpr Bytes kElementBytes = 4;
  return fmt::format("{} tensors, {} parameters ({} of gradients), {:.2g} multiply-adds an image", model.tensors(),
                     model.parameters(), format_bytes(kElementBytes * model.parameters()),
                     static_cast<double>(model.multiply_adds()));
}

template <typename Entry>
std::string explain_named(const Registry<Entry>& registry, const std::string& name) {
  for (const Entry& entry : registry)
    if (entry.name == name) return explain(entry);
  return "";
}

}  // namespace

std::string explain(const StrategyEntry& entry) {
  return four_lines(entry.name, entry.explanation);
}
std::string explain(const SimulatedStrategyEntry& entry) {
  return four_lines(entry.name, entry.explanation);
}
std::string explain(const CommunicatorEntry& entry) {
  return paragraphs(entry.name, {entry.summary, entry.explanation});
}
std::string explain(const BackendEntry& entry) {
  return paragraphs(entry.name, {entry.summary, entry.explanation});
}
std::string explain(const ModelEntry& entry) {
  return paragraphs(entry.name, {entry.summary, sizes(entry.make())});
}

std::string explain_registered(const std::string& name) {
  return explain_named(strategies(), name) + explain_named(simulated_strategies(), name) +
         explain_named(communicators(), name) + explain_named(backends(), name) + explain_named(models(), name);
}

}  // namespace mgbench
