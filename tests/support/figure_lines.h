#pragma once

#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace mgbench {

struct FigureLine {
  double value = 0;
  std::string unit;
};

/// The lines "key: value unit" of a command's output, as a script finds them.
inline std::map<std::string, FigureLine> figure_lines(const std::string& output) {
  static const std::regex form(R"(([a-z_]+(?:/\S+)?): (\S+) (s|GB/s|%|ratio))");
  std::map<std::string, FigureLine> lines;
  std::istringstream stream(output);
  std::smatch match;
  for (std::string line; std::getline(stream, line);)
    if (std::regex_match(line, match, form)) lines[match[1]] = {std::stod(match[2]), match[3]};
  return lines;
}

}  // namespace mgbench
