#include "report/tolerances.h"

#include "base/error.h"
#include "report/metrics.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

/// A metric as metrics have it, or a family.
std::string tolerated_name(const std::string& key) {
  return family_of(key).name == key ? key : metric_name(key);
}

}  // namespace

double Tolerances::of(const std::string& metric) const {
  for (const std::string& name : {metric, family_of(metric).name})
    if (const auto found = by_metric.find(name); found != by_metric.end()) return found->second;
  return standard;
}

Tolerances tolerances_from_yaml(const std::string& text, const std::string& file) {
  const Document document = parse_yaml(text, file);
  const Value root = document.root();
  const auto entries = root.entries();
  if (entries.empty()) root.wrong("an empty mapping, expected metrics and their tolerances");
  Tolerances tolerances;
  for (const auto& [key, value] : entries) {
    const double share = value.number(0, 1);
    try {
      require_tolerance(share, "tolerance");
      if (key == "default")
        tolerances.standard = share;
      else
        tolerances.by_metric[tolerated_name(key)] = share;
    } catch (const Error& error) {
      value.wrong("{}", error.what());
    }
  }
  return tolerances;
}

void require_tolerance(double share, const std::string& what) {
  require(share > 0 && share < 1, "{} {}: expected a share between 0 and 1, as in 0.05", what, share);
}

}  // namespace mgbench
