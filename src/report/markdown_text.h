#pragma once

#include <string>
#include <string_view>

namespace mgbench {

/// `text` so that GitHub's Markdown shows it letter by letter, in a paragraph as well as in the cell of a table: what
/// hosts, files and variables hold must not become a column, a link or a tag. Line breaks and other control characters
/// become spaces.
std::string markdown_text(std::string_view text);

/// A block of code that `text` cannot end.
std::string markdown_code(const std::string& text);

}  // namespace mgbench
