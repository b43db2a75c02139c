#pragma once

#include "report/profile_reader.h"

namespace mgbench {

/// Rows "name,bytes,backward_us[,forward_us]" in the order in which gradients become ready, after comments
/// "# forward_us=NUMBER" (the total, where rows have none), "# update_us=NUMBER", "# model=NAME", "# batch=NUMBER".
ReadProfile profile_from_csv(const std::string& text, const std::string& file);

}  // namespace mgbench
