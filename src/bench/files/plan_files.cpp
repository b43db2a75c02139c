#include "bench/files/plan_files.h"

#include <algorithm>
#include <map>

#include "bench/files/files.h"

namespace mgbench {

std::vector<PlanFile> given_plans(const RunConfig& config, const Profile& profile) {
  const std::vector<std::string> taken = strategies().names();
  std::map<std::string, std::string> file_of;
  std::vector<PlanFile> plans;
  for (const std::string& file : config.plans) {
    PlanFile plan = plan_from_yaml(read_file(file), file, profile);
    require(std::find(taken.begin(), taken.end(), plan.name) == taken.end(),
            "{}: the plan is called '{}', as a strategy is; give it another 'name'", file, plan.name);
    const auto [other, added] = file_of.try_emplace(plan.name, file);
    require(added, "{}: the plan is called '{}', as that of {} is; give one of them another 'name'", file, plan.name,
            other->second);
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace mgbench
