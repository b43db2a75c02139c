#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace mgbench {

/// schemas/result.schema.json.
const nlohmann::json& result_schema();

/// Why `document` is not what the schema's definition ("result", "summary", "tuning") wants, a line each; empty: it is.
std::string complaints(const nlohmann::json& document, const std::string& definition);

}  // namespace mgbench
