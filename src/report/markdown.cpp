#include "report/markdown.h"

#include <cctype>
#include <cstring>

namespace mgbench {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_text(cell) + " |";
  return line + "\n";
}

}  // namespace

std::string markdown_text(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (std::iscntrl(static_cast<unsigned char>(letter)) != 0) {
      result += ' ';
      continue;
    }
    if (std::strchr("\\`*_[]<>|&~#@", letter) != nullptr) result += '\\';
    result += letter;
  }
  return result;
}

std::string markdown_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  std::string text = line_of(titles) + "|:--|";
  for (std::size_t column = 1; column < titles.size(); ++column) text += "--:|";
  text += "\n";
  for (const std::vector<std::string>& row : rows) text += line_of(row);
  return text;
}

}  // namespace mgbench
