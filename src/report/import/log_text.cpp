#include "report/import/log_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "report/document.h"

namespace mgbench {
namespace {

constexpr int kMostCounted = 1'000'000;
constexpr std::string_view kBlank = " \t\r\v\f";

/// "[1,0]<stdout>:": which rank a line is of, as mpirun --tag-output writes it.
std::string_view without_tag(std::string_view line) {
  if (line.empty() || line.front() != '[') return line;
  const std::size_t close = line.find("]<std");
  if (close == std::string_view::npos || close > 24) return line;
  const std::size_t end = line.find(">:", close);
  return end == std::string_view::npos || end > close + 9 ? line : line.substr(end + 2);
}

template <typename Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<LogLine> log_lines(const std::string& text) {
  std::vector<LogLine> lines;
  std::string_view rest = text;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const bool ended = end != std::string_view::npos;
    const std::string_view line = trimmed(without_tag(trimmed(rest.substr(0, end))));
    if (!line.empty()) lines.push_back({line, number, ended});
    rest = ended ? rest.substr(end + 1) : std::string_view();
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_utf8(const std::string& text) {
  const std::string strict = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore);
  return strict == nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_printable(const std::string& text) {
  const auto control = [](unsigned char letter) { return std::iscntrl(letter) != 0; };
  return std::none_of(text.begin(), text.end(), control) && is_utf8(text);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::vector<std::string_view> cells_of(std::string_view text) {
  std::vector<std::string_view> cells;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    std::string_view cell = trimmed(text.substr(0, comma));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = trimmed(cell.substr(1, cell.size() - 2));
    cells.push_back(cell);
    if (more) text.remove_prefix(comma + 1);
  }
  return cells;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && end == text.data() + text.size();
  if (whole && error == std::errc::result_out_of_range) return HUGE_VAL;
  if (!whole || error != std::errc()) return std::nullopt;
  return value;
}

bool looks_like_row(const std::vector<std::string_view>& fields) {
  if (fields.empty()) return false;
  const auto is_number = [](std::string_view field) { return number_in(field).has_value(); };
  const auto is_letter = [](unsigned char letter) { return std::isalpha(letter) != 0; };
  if (is_number(fields[0])) return true;
  return fields.size() > 1 && std::none_of(fields[0].begin(), fields[0].end(), is_letter) &&
         std::all_of(fields.begin() + 1, fields.end(), is_number);
}

Seconds read_time(std::string_view field, double per_second, const std::string& file, std::size_t line) {
  const std::optional<double> value = number_in(field);
  const double seconds = value ? *value / per_second : 0;
  if (!value || !(seconds > 0 && seconds <= 1e9))
    fail_at(file, line,
            fmt::format("'{}' is not a time, expected a number above 0 and at most {:g}", excerpt(field),
                        1e9 * per_second));
  return seconds;
}

Bytes read_size(std::string_view field, const std::string& file, std::size_t line) {
  const auto bytes = whole_number<Bytes>(field);
  if (!bytes || *bytes < 0 || *bytes > Bytes{1} << 40)
    fail_at(file, line, fmt::format("'{}' is not a size, expected a whole number of bytes up to 2^40", excerpt(field)));
  return *bytes;
}

int read_count(std::string_view field, const char* what, const std::string& file, std::size_t line) {
  const auto count = whole_number<int>(field);
  if (!count || *count < 1 || *count > kMostCounted)
    fail_at(file, line,
            fmt::format("'{}' is not a {}, expected a whole number from 1 to {}", excerpt(field), what, kMostCounted));
  return *count;
}

int read_ranks(std::string_view field, const std::string& file, std::size_t line) {
  return read_count(field, "number of ranks", file, line);
}

int read_index(std::string_view field, const std::string& file, std::size_t line) {
  const auto index = whole_number<int>(field);
  if (!index || *index < 0 || *index > kMostCounted)
    fail_at(file, line,
            fmt::format("'{}' is not a rank, expected a whole number from 0 to {}", excerpt(field), kMostCounted));
  return *index;
}

}  // namespace mgbench
