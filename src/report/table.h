#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// How wide reports are unless somebody asks for another width.
constexpr std::size_t kDefaultWidth = 100;

/// A table of text for a terminal: every report that people read is made of these. ASCII as long as its cells
/// are.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    std::string unit;  ///< a second line of the heading
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns);

  /// One cell for each column.
  void add(std::vector<std::string> cells);
  /// A first cell, and a text in place of all the others.
  void add_note(std::string first, std::string note);

  /// Columns of the longest line; notes do not count.
  std::size_t width() const;
  /// Heading, rule and rows; notes are wrapped to `width`, cells never are.
  std::string text(std::size_t width = kDefaultWidth) const;
  /// As GitHub's Markdown, one line a row. Cells are shown as they are, whatever they hold.
  std::string markdown() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string note;
  };
  std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// Breaks `words` at spaces into lines of at most `width`; all but the first begin with `indent` spaces. Words
/// longer than a line stay whole, and a number keeps its unit. Ends with a newline.
std::string wrap(const std::string& words, std::size_t width, std::size_t indent = 0);

/// Decimals that show `typical` with four digits; at most three.
int decimals_for(double typical);

/// "+1.2": a relative difference in percent.
std::string signed_percent(double share);

/// One unit and one number of decimals for all times of a table, so that they can be compared at a glance.
class TimeScale {
 public:
  /// Four digits for `typical`, in us below 1 ms, in s from 10 s on.
  explicit TimeScale(Seconds typical);
  const std::string& unit() const { return unit_; }
  std::string operator()(Seconds seconds) const;

 private:
  double factor_ = 1e3;
  std::string unit_ = "ms";
  int decimals_ = 0;
};

}  // namespace mgbench
