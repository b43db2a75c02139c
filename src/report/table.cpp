#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "report/markdown_text.h"

namespace mgbench {
namespace {

constexpr std::size_t kGap = 2;

/// In characters: UTF-8's continuation bytes take no room.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void append(std::string& line, const std::string& cell, std::size_t width, Table::Align align) {
  const std::string padding(width - std::min(width, length(cell)), ' ');
  line += align == Table::Align::left ? cell + padding : padding + cell;
  line.append(kGap, ' ');
}

/// The last space up to `end` that does not part a number from its unit.
std::size_t last_break(const std::string& text, std::size_t end) {
  std::size_t space = text.rfind(' ', end);
  while (space != std::string::npos && space > 0 && std::isdigit(static_cast<unsigned char>(text[space - 1])) != 0)
    space = text.rfind(' ', space - 1);
  return space;
}

void end_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  require(cells.size() == columns_.size(), "{} cells do not fit a table of {} columns", cells.size(), columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back({std::move(cells), ""});
}

void Table::add_note(std::string first, std::string note) {
  rows_.push_back({{printable(first)}, std::move(note)});
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = std::max(length(columns_[c].title), length(columns_[c].unit));
    for (const Row& row : rows_)
      if (c < row.cells.size()) width = std::max(width, length(row.cells[c]));
    result.push_back(width);
  }
  return result;
}

std::size_t Table::width() const {
  std::size_t sum = 0;
  for (const std::size_t width : widths()) sum += width + kGap;
  return sum - kGap;
}

std::string Table::text(std::size_t width) const {
  const std::vector<std::size_t> widths = this->widths();
  std::string text;
  std::string titles;
  std::string units;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    append(titles, columns_[c].title, widths[c], columns_[c].align);
    append(units, columns_[c].unit, widths[c], columns_[c].align);
  }
  end_line(text, titles);
  if (units.find_first_not_of(' ') != std::string::npos) end_line(text, units);
  end_line(text, std::string(this->width(), '-'));
  for (const Row& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.cells.size(); ++c) append(line, row.cells[c], widths[c], columns_[c].align);
    if (row.note.empty())
      end_line(text, line);
    else
      text += wrap(line + row.note, width, widths[0] + kGap);
  }
  return text;
}

std::string Table::markdown() const {
  std::string titles = "|";
  std::string rule = "|";
  for (const Column& column : columns_) {
    const std::string gap = column.title.empty() || column.unit.empty() ? "" : " ";
    titles += fmt::format(" {} |", markdown_text(column.title + gap + column.unit));
    rule += column.align == Align::left ? " --- |" : " ---: |";
  }
  std::string text = titles + '\n' + rule + '\n';
  for (const Row& row : rows_) {
    text += '|';
    for (const std::string& cell : row.cells) text += fmt::format(" {} |", markdown_text(cell));
    if (!row.note.empty()) text += fmt::format(" {} |", markdown_text(row.note));
    text += '\n';
  }
  return text;
}

std::string wrap(const std::string& words, std::size_t width, std::size_t indent) {
  const std::string text = printable(words);
  std::string result;
  std::size_t begin = 0;
  while (true) {
    const std::size_t room = width - std::min(width, result.empty() ? 0 : indent);
    std::size_t end = text.size();
    if (end - begin > room) {
      end = last_break(text, begin + room);
      if (end == std::string::npos || end <= begin) end = std::min(text.find(' ', begin + room), text.size());
    }
    if (!result.empty()) result.append(indent, ' ');
    result.append(text, begin, end - begin).append(1, '\n');
    begin = text.find_first_not_of(' ', end);
    if (begin == std::string::npos) return result;
  }
}

int decimals_for(double typical) {
  if (!(typical > 0) || !std::isfinite(typical)) return 0;
  return static_cast<int>(std::clamp(3 - std::floor(std::log10(typical)), 0.0, 3.0));
}

std::string signed_percent(double share) {
  return fmt::format("{:+.1f}", std::round(1000 * share) / 10 + 0.0);
}

TimeScale::TimeScale(Seconds typical) {
  if (typical >= 10) {
    factor_ = 1;
    unit_ = "s";
  } else if (typical < 1e-3) {
    factor_ = 1e6;
    unit_ = "us";
  }
  decimals_ = decimals_for(typical * factor_);
}

std::string TimeScale::operator()(Seconds seconds) const {
  const double rounding = std::pow(10, decimals_);
  // Plus zero: no "-0.0" for what rounds to nothing.
  return fmt::format("{:.{}f}", std::round(seconds * factor_ * rounding) / rounding + 0.0, decimals_);
}

}  // namespace mgbench
