#include "report/export_parts.h"

namespace mgbench::exports_entries {
namespace {

std::string text(const ExportSource& source) {
  const Profile& profile = source.profile;
  const PredictedPlan best = optimum(profile, source.cost);
  Json optimum_form = json_form(profile, best, best);
  optimum_form["groups"] = group_names(profile, best.plan);
  Json result = {{"profile",
                  {{"file", source.profile_file},
                   {"model", profile.model},
                   {"backend", profile.backend},
                   {"batch", profile.batch}}},
                 {"ranks", source.ranks},
                 {"cost",
                  {{"source", source.cost_name},
                   {"library", source.library.empty() ? Json() : Json(source.library)},
                   {"emulated", source.emulated.empty() ? Json() : Json(source.emulated)},
                   {"a_seconds", source.cost.line().a},
                   {"b_seconds_per_byte", source.cost.line().b},
                   {"planned_with", source.cost.is_line() ? "line" : "curve"}}},
                 {"element_bytes", source.element},
                 {"optimum", std::move(optimum_form)}};
  if (source.plan) {
    const PredictedPlan given = plan_or_optimum(source, best);
    Json plan = {{"name", source.plan->name}, {"file", source.plan->file}};
    plan.update(json_form(profile, given, best));
    plan["groups"] = group_names(profile, given.plan);
    result["plan"] = std::move(plan);
  }
  for (const ExportEntry& entry : exports())
    if (entry.json) result[entry.name] = entry.json(source);
  return write_json(result) + '\n';
}

}  // namespace

ExportEntry json() {
  return {"json", "The settings of all tools as one object", text, {}};
}

}  // namespace mgbench::exports_entries
