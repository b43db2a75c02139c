#include "base/printable.h"

#include <cctype>

namespace mgbench {
namespace {

constexpr std::string_view kDots = "...";

/// U+0080 to U+009F, which terminals obey as they do escape sequences.
bool is_control_of_two_bytes(std::string_view text) {
  return text.size() >= 2 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) >= 0x80 &&
         static_cast<unsigned char>(text[1]) <= 0x9F;
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool two = is_control_of_two_bytes(text.substr(i));
    result += two || std::iscntrl(static_cast<unsigned char>(text[i])) != 0 ? ' ' : text[i];
    if (two) ++i;
  }
  return result;
}

std::string excerpt(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most - kDots.size();
  while (end > 0 && continues_character(text[end])) --end;
  return std::string(text.substr(0, end)).append(kDots);
}

}  // namespace mgbench
