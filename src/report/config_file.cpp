#include "report/config_file.h"

#include "report/yaml.h"

namespace mgbench {

ConfigFile::ConfigFile(const std::string& text, const std::string& file, const std::vector<std::string>& options)
    : document_(parse_yaml(text, file)) {
  document_.root().fields({}, options);
}

std::vector<std::string> ConfigFile::arguments() const {
  std::vector<std::string> words;
  for (const auto& [key, value] : document_.root().entries()) {
    // A quotation that is not closed is one, too.
    if (value.text().find_first_not_of(" \t\n") == std::string::npos) value.wrong("expected a value, which is empty");
    if (key.size() == 1)
      words.insert(words.end(), {"-" + key, value.text()});
    else
      words.push_back("--" + key + "=" + value.text());
  }
  return words;
}

void ConfigFile::blame(const std::string& option, const std::string& message) const {
  if (const auto value = document_.root().find(option)) value->wrong("{}", message);
}

}  // namespace mgbench
