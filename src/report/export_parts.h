#pragma once

#include <string>
#include <vector>

#include "planner/tool_settings.h"
#include "report/export.h"
#include "report/json.h"

namespace mgbench {

// What exports have in common.

/// `text` in lines that begin with "# ", wrapped.
std::string comment(const std::string& text);

/// What the settings hold for, and what is possible at best, as comments.
std::string heading(const ExportSource& source, const std::string& title, const PredictedPlan& optimum);

/// "88.1 ms an iteration, 4 messages, +0.9 % against the optimum"
std::string prediction(const PredictedPlan& predicted, const PredictedPlan& optimum);

/// The plan that was given, and that `tool` can only be brought near to it; empty without a plan.
std::string given_plan(const ExportSource& source, const std::string& tool, const PredictedPlan& optimum);

/// "; the plan itself" or "; 2 boundaries between messages differ from the plan's"; empty without a plan.
std::string difference(const ExportSource& source, const ToolSetting& setting);

/// "The best size", "The nearest size to the plan", or that it is the default.
std::string setting_name(const ExportSource& source, const ToolSetting& setting, const std::string& word);

/// The plan that was given, else the optimum.
PredictedPlan plan_or_optimum(const ExportSource& source, const PredictedPlan& optimum);

/// The same of the tool's best setting; says, too, when the default is about as good, and when not every setting was
/// tried.
std::string prediction(const ToolSetting& setting, const PredictedPlan& optimum);

/// In the order in which they are sent.
std::vector<Bytes> message_sizes(const Profile& profile, const MergePlan& plan);

/// What speaks against the settings: a cost of another library than those that the tool calls, or an emulated one.
std::vector<std::string> warnings(const ExportSource& source, const std::string& tool,
                                  const std::vector<std::string>& libraries);
std::string comment_warnings(const std::vector<std::string>& warnings);

/// {predicted_iteration_seconds, against_optimum, messages, message_bytes}
Json json_form(const Profile& profile, const PredictedPlan& predicted, const PredictedPlan& optimum);

/// The same of a setting, and with a plan {boundaries_unlike_plan}.
Json json_form(const ExportSource& source, const ToolSetting& setting, const PredictedPlan& optimum);

/// Tensors of each message by name.
std::vector<std::vector<std::string>> group_names(const Profile& profile, const MergePlan& plan);

/// Throws Error naming the tensor unless all sizes are whole elements.
void require_whole_elements(const ExportSource& source, const std::string& tool);

}  // namespace mgbench
