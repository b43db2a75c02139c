#include "report/profile_csv.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "base/names.h"
#include "report/document.h"
#include "report/import/comment_setting.h"
#include "report/import/log_text.h"
#include "report/ready_order.h"

namespace mgbench {
namespace {

const std::vector<std::string> kColumns{"name", "bytes", "backward_us", "forward_us"};
const std::vector<std::string> kSettings{"forward_us", "update_us", "model", "batch"};
constexpr std::size_t kFewestColumns = 3;
constexpr double kMicroseconds = 1e-6;
// An iteration outside of these is one in another unit.
constexpr Seconds kShortest = 1e-6;
constexpr Seconds kLongest = 3600;

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(const LogLine& line) {
    if (line.text.starts_with('#'))
      comment(line);
    else if (columns_ == 0)
      heading(line);
    else
      row(line);
  }

  ReadProfile finish() && {
    if (gradients_.empty()) fail_at(file_, 0, "no row, expected at least one gradient");
    const bool rows_tell = columns_ == kColumns.size();
    if (!rows_tell && !forward_)
      fail_at(file_, 0, "no forward time, expected a column forward_us or a line '# forward_us=NUMBER'");
    if (rows_tell && forward_)
      fail_at(file_, forward_line_, "forward_us is given for each row and as a total, expected one of them");
    Profile profile = profile_in_forward_order(gradients_, forward_.value_or(0));
    profile.model = model_;
    profile.batch = batch_;
    profile.update = update_;
    const Seconds computation = profile.computation();
    require(computation >= kShortest && computation <= kLongest && profile.backward() > 0,
            "{}: forward takes {} and backward {} in all: are these microseconds?", file_,
            format_seconds(profile.forward()), format_seconds(profile.backward()));
    return {.profile = std::move(profile), .remarks = {}};
  }

 private:
  void comment(const LogLine& line) {
    const auto setting = comment_setting(line, file_, kSettings);
    if (!setting) return;
    if (!set_.insert(setting->name).second) fail_at(file_, line.number, setting->name + " is set twice");
    if (setting->name == "forward_us") {
      forward_ = microseconds(setting->value, line);
      forward_line_ = line.number;
    } else if (setting->name == "update_us") {
      update_ = microseconds(setting->value, line);
    } else if (setting->name == "batch") {
      batch_ = read_count(setting->value, "batch", file_, line.number);
    } else {
      const auto safe = [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
      };
      if (setting->value.empty() || !std::all_of(setting->value.begin(), setting->value.end(), safe))
        fail_at(file_, line.number,
                fmt::format("'{}' is not a model's name, expected letters, digits, '-' and '_'", setting->value));
      model_ = setting->value;
    }
  }

  void heading(const LogLine& line) {
    const std::vector<std::string_view> cells = cells_of(line.text);
    for (const std::string_view cell : cells)
      if (std::find(kColumns.begin(), kColumns.end(), cell) == kColumns.end())
        fail_at(file_, line.number, fmt::format("unknown column '{}'{}", cell, suggestion(cell, kColumns)));
    if (cells.size() < kFewestColumns || cells.size() > kColumns.size() ||
        !std::equal(cells.begin(), cells.end(), kColumns.begin()))
      fail_at(file_, line.number,
              "expected the heading 'name,bytes,backward_us' or 'name,bytes,backward_us,forward_us'");
    columns_ = cells.size();
  }

  void row(const LogLine& line) {
    const std::vector<std::string_view> cells = cells_of(line.text);
    if (cells.size() != columns_)
      fail_at(file_, line.number, fmt::format("{} columns, expected {} as in the heading", cells.size(), columns_));
    ReadyGradient gradient{.name = std::string(cells[0]), .bytes = read_size(cells[1], file_, line.number)};
    if (gradient.name.empty() || !is_printable(gradient.name))
      fail_at(file_, line.number, "the name is empty or no text in UTF-8");
    if (!names_.insert(gradient.name).second)
      fail_at(file_, line.number, fmt::format("a second gradient of the name '{}'", gradient.name));
    if (gradient.bytes == 0) fail_at(file_, line.number, "a gradient of 0 B, expected at least 1");
    gradient.backward = microseconds(cells[2], line);
    if (columns_ == kColumns.size()) gradient.forward = microseconds(cells[3], line);
    gradients_.push_back(std::move(gradient));
  }

  Seconds microseconds(std::string_view field, const LogLine& line) const {
    const std::optional<double> value = number_in(field);
    if (!value || !(*value >= 0 && *value <= kLongest / kMicroseconds))
      fail_at(file_, line.number,
              fmt::format("'{}' is not a time, expected microseconds from 0 to {:g}", field, kLongest / kMicroseconds));
    return *value * kMicroseconds;
  }

  const std::string& file_;
  std::size_t columns_ = 0;  ///< 0: no heading yet
  std::vector<ReadyGradient> gradients_;
  std::set<std::string> names_;
  std::set<std::string> set_;
  std::optional<Seconds> forward_;
  std::size_t forward_line_ = 0;
  Seconds update_ = 0;
  int batch_ = 0;
  std::string model_ = "imported";
};

}  // namespace

ReadProfile profile_from_csv(const std::string& text, const std::string& file) {
  Reader reader(file);
  for (const LogLine& line : log_lines(text)) reader.read(line);
  return std::move(reader).finish();
}

}  // namespace mgbench
