#include "bench/help/option_values.h"

#include <cctype>
#include <sstream>

#include "bench/command.h"
#include "bench/communicator.h"
#include "bench/files/files.h"
#include "bench/help/help_text.h"
#include "bench/network.h"
#include "models/model.h"
#include "planner/allreduce_law.h"
#include "planner/simulated_strategy.h"
#include "planner/strategy.h"
#include "report/export.h"

namespace mgbench {
namespace {

std::vector<std::string> operator+(std::vector<std::string> left, const std::vector<std::string>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const AllreduceLaw& law : allreduce_laws()) names.push_back(law.name);
  return names;
}

/// What a word in capital letters stands for; nothing for a number's.
std::vector<std::string> names_of(const std::string& word) {
  if (word == "MODEL") return models().names();
  if (word == "MODELS") return std::vector<std::string>{"all"} + models().names();
  if (word == "BACKEND") return std::vector<std::string>{kAutomatic} + backends().names();
  if (word == "STRATEGIES") return std::vector<std::string>{"all"} + strategies().names();
  if (word == "SIMULATED") return simulated_strategies().names();
  if (word == "COMMUNICATOR") return std::vector<std::string>{kAutomatic} + communicators().names();
  if (word == "TOOL") return exports().names();
  if (word == "LAW") return law_names();
  if (word == "INTERCONNECT") return config_names("interconnects");
  if (word == "DEVICE") return config_names("devices");
  if (word == "CRITERIA") return config_names("acceptance");
  if (word == "TOPIC") return help_topics();
  return {};
}

}  // namespace

OptionValues option_values(const CLI::Option& option) {
  OptionValues values;
  std::istringstream words(option.get_type_name());
  for (std::string word; std::getline(words, word, '|');) {
    values.list = values.list || word == "MODELS" || word == "STRATEGIES";
    values.files = values.files || word == "FILE";
    values.folders = values.folders || word == "DIR";
    const bool itself = std::islower(static_cast<unsigned char>(word[0])) != 0;
    values.names = values.names + (itself ? std::vector<std::string>{word} : names_of(word));
  }
  return values;
}

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

}  // namespace mgbench
