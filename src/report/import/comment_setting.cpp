#include "report/import/comment_setting.h"

#include <algorithm>
#include <cctype>

#include "base/names.h"
#include "report/document.h"

namespace mgbench {

std::optional<CommentSetting> comment_setting(const LogLine& line, const std::string& file,
                                              const std::vector<std::string>& known) {
  std::string_view text = line.text;
  while (text.starts_with('#')) text.remove_prefix(1);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = trimmed(text.substr(0, equals));
  const auto inside = [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_' || letter == '-'; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), inside)) return std::nullopt;
  if (std::find(known.begin(), known.end(), name) == known.end())
    fail_at(file, line.number, fmt::format("unknown setting '{}'{}", name, suggestion(name, known)));
  return CommentSetting{.name = std::string(name), .value = std::string(trimmed(text.substr(equals + 1)))};
}

}  // namespace mgbench
