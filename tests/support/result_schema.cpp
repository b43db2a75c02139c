#include "support/result_schema.h"

#include <fstream>
#include <map>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace mgbench {
namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// The definition alone: a complaint about one of several kinds would only be that none of them matches. What the
/// schema is made of means the same in draft 7, which the library reads, as in draft 2020-12.
const valijson::Schema& schema_of(const std::string& definition) {
  static std::map<std::string, valijson::Schema> schemas;
  const auto [found, is_new] = schemas.try_emplace(definition);
  if (is_new) {
    nlohmann::json schema = result_schema();
    schema.erase("oneOf");
    schema["$ref"] = "#/$defs/" + definition;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(schema), found->second);
  }
  return found->second;
}

}  // namespace

const nlohmann::json& result_schema() {
  static const nlohmann::json schema = nlohmann::json::parse(std::ifstream(MGBENCH_RESULT_SCHEMA));
  return schema;
}

std::string complaints(const nlohmann::json& document, const std::string& definition) {
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema_of(definition), Adapter(document), &results)) return "";
  std::string text;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) text += step;
    text += ": " + error.description + "\n";
  }
  return text;
}

}  // namespace mgbench
