#include "report/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace mgbench {

std::string markdown_text(std::string_view text) {
  static constexpr std::string_view kMeaningful = R"(\`*_[]<>|~#&@)";
  std::string result;
  for (const char c : printable(text)) {
    if (kMeaningful.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_code(const std::string& text) {
  std::size_t longest = 2;
  for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_not_of('`', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = text.find('`', end);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}\n{}\n{}\n", fence, text, fence);
}

}  // namespace mgbench
