#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mgbench {

/// `text` with spaces for control characters, those of ASCII and U+0080 to U+009F: a terminal must not obey what a
/// name, a file or a variable holds. Tables, wrap() and Error do it by themselves.
std::string printable(std::string_view text);

/// At most `most` bytes of `text`, the last of them dots where more was there: what a message quotes of a text from
/// outside. A character of UTF-8 stays whole.
std::string excerpt(std::string_view text, std::size_t most = 60);

}  // namespace mgbench
