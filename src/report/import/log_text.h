#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// One line of a log, without its end and without what mpirun --tag-output puts before it.
struct LogLine {
  std::string_view text;
  std::size_t number = 0;  ///< from 1
  bool ended = true;       ///< false: the text ends without a line break
};

/// The lines of `text`, which outlives them; blank ones are left out.
std::vector<LogLine> log_lines(const std::string& text);

std::string_view trimmed(std::string_view text);
std::string lowered(std::string_view text);
bool contains(std::string_view text, std::string_view part);
bool is_utf8(const std::string& text);
/// UTF-8 without control characters: what a name may be.
bool is_printable(const std::string& text);

/// Words between blanks.
std::vector<std::string_view> words_of(std::string_view text);
/// Cells between commas, trimmed, without double quotes around them.
std::vector<std::string_view> cells_of(std::string_view text);

/// The whole text as a number; none for anything else. May be infinite or not a number.
std::optional<double> number_in(std::string_view text);

/// Whether these fields are what a row of measurements looks like: the first one is a number, or has no letter
/// ("***") before numbers only.
bool looks_like_row(const std::vector<std::string_view>& fields);

/// Fields of a row; `per_second`: how many of its units make a second. Throw Error with `file`:line for what is no
/// number, no whole number, or out of range: times are finite and above zero, at most 1e9 s; sizes at most 2^40 B (0 is
/// allowed: some benchmarks send empty messages); numbers of ranks 1 to 1e6.
Seconds read_time(std::string_view field, double per_second, const std::string& file, std::size_t line);
Bytes read_size(std::string_view field, const std::string& file, std::size_t line);
int read_ranks(std::string_view field, const std::string& file, std::size_t line);
/// 1 to 1e6; `what` is the word for it in the message.
int read_count(std::string_view field, const char* what, const std::string& file, std::size_t line);
/// A rank or a group: 0 to 1e6.
int read_index(std::string_view field, const std::string& file, std::size_t line);

}  // namespace mgbench
