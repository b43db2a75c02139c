#include "report/unfinished_json.h"

#include <cstddef>

namespace mgbench {

FinishedJson finished_json_array(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '[') return {text, false};
  std::size_t depth = 0;
  std::size_t whole = begin + 1;  // behind the last whole element
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted) {
      if (letter == '\\')
        ++i;
      else if (letter == '"')
        quoted = false;
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == '[' || letter == '{') {
      ++depth;
    } else if (letter == ']' || letter == '}') {
      --depth;
      if (depth == 0) return {text, false};
      if (depth == 1) whole = i + 1;
    }
  }
  const bool cut = text.find_first_not_of(" \t\r\n,", whole) != std::string::npos;
  return {text.substr(0, whole) + "]", cut};
}

}  // namespace mgbench
