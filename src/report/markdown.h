#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// `text` as Markdown shows it letter by letter, on one line: what hosts, files and variables hold must not become a
/// column, a link or a tag.
std::string markdown_text(const std::string& text);

/// A table as GitHub and GitLab read it. Titles and cells are texts; the first column is aligned left, others right.
std::string markdown_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

}  // namespace mgbench
