#include "report/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/forms.h"

namespace mgbench {
namespace {

/// The share of backward after which at least `share` of all bytes is ready.
double backward_share_of(const Profile& profile, double share) {
  const double wanted = share * static_cast<double>(profile.bytes());
  Seconds elapsed = 0;
  Bytes ready = 0;
  for (auto step = profile.steps.rbegin(); step != profile.steps.rend(); ++step) {
    elapsed += step->backward;
    for (const Tensor& tensor : step->tensors) ready += tensor.bytes;
    if (static_cast<double>(ready) >= wanted) break;
  }
  return profile.backward() > 0 ? elapsed / profile.backward() : 0;
}

Bytes bytes_of(const Profile::Step& step) {
  Bytes sum = 0;
  for (const Tensor& tensor : step.tensors) sum += tensor.bytes;
  return sum;
}

/// Indices of the `most` longest steps.
std::set<std::size_t> longest_steps(const Profile& profile, std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t step = 0; step < profile.steps.size(); ++step) order.push_back(step);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    const Profile::Step& a = profile.steps[left];
    const Profile::Step& b = profile.steps[right];
    return a.forward + a.backward > b.forward + b.backward;
  });
  order.resize(std::min(order.size(), most));
  return {order.begin(), order.end()};
}

Table step_table(const Profile& profile, std::size_t most_steps) {
  const TimeScale scale((profile.forward() + profile.backward()) / static_cast<double>(profile.steps.size()));
  Table table({{"step", "", Table::Align::left},
               {"forward", scale.unit()},
               {"backward", scale.unit()},
               {"ready at", scale.unit()},
               {"tensors", ""},
               {"gradients", ""}});
  const std::set<std::size_t> shown = longest_steps(profile, most_steps);
  Profile::Step others;
  // Ready times count from the iteration's start: all of forward, then backward from the last step to this
  // one.
  Seconds ready = profile.forward() + profile.backward();
  for (std::size_t index = 0; index < profile.steps.size(); ++index) {
    const Profile::Step& step = profile.steps[index];
    if (shown.count(index) > 0) {
      table.add({step.name, scale(step.forward), scale(step.backward), scale(ready),
                 std::to_string(step.tensors.size()), format_bytes(bytes_of(step))});
    } else {
      others.forward += step.forward;
      others.backward += step.backward;
      others.tensors.insert(others.tensors.end(), step.tensors.begin(), step.tensors.end());
    }
    ready -= step.backward;
  }
  if (const std::size_t left_out = profile.steps.size() - shown.size(); left_out > 0)
    table.add({fmt::format("{} shorter steps", left_out), scale(others.forward), scale(others.backward), "",
               std::to_string(others.tensors.size()), format_bytes(bytes_of(others))});
  return table;
}

}  // namespace

std::string format_profile(const Profile& profile, std::size_t width, std::size_t most_steps) {
  std::size_t tensors = 0;
  for (const Profile::Step& step : profile.steps) tensors += step.tensors.size();
  const Seconds compute = profile.forward() + profile.backward() + profile.update;
  std::string text = wrap(
      fmt::format("{} on {}{}, {} {}: {} without communication (forward {}, backward {}, update {})", profile.model,
                  profile.backend, batch_phrase(profile), profile.ranks, profile.ranks == 1 ? "rank" : "ranks",
                  format_seconds(compute), format_seconds(profile.forward()), format_seconds(profile.backward()),
                  format_seconds(profile.update)),
      width, 2);
  text +=
      wrap(fmt::format("{} of gradients in {} tensors: half of the bytes are ready after {:.0f} % of backward, 90 % "
                       "after {:.0f} %",
                       format_bytes(profile.bytes()), tensors, 100 * backward_share_of(profile, 0.5),
                       100 * backward_share_of(profile, 0.9)),
           width, 2);
  return text + '\n' + step_table(profile, most_steps).text(width);
}

std::string batch_phrase(const Profile& profile) {
  return profile.batch > 0 ? fmt::format(", {} image{} a rank", profile.batch, profile.batch == 1 ? "" : "s") : "";
}

std::string profile_to_json(const Profile& profile) {
  return write_json(json_form(profile));
}

}  // namespace mgbench
