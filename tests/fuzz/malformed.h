#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// More than two hundred texts that are what may become of `text`, or what somebody may put in its place: cut off, with
/// bits flipped, bytes that are no text, numbers out of range, values of other types, lines that are there twice, deep
/// nesting, aliases, very long words. The same ones for the same text.
std::vector<std::string> malformed(const std::string& text);

/// `text` with a control character inside one of its words, for each of them: as it is, and as JSON spells it.
std::vector<std::string> with_control_characters(const std::string& text);

}  // namespace mgbench
