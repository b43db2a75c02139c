#include "report/nccl_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <string_view>

#include "report/import/log_text.h"

namespace mgbench {
namespace {

constexpr std::string_view kMark = "NCCL INFO ";
constexpr std::size_t kLongestName = 100;
constexpr int kMostChannels = 1024;
constexpr Bytes kMostBytes = Bytes{1} << 40;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && is_printable(std::string(text));
}

/// Takes apart what a format of printf's has put together; what does not fit is remembered.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  Scan& text(std::string_view expected) {
    good_ = good_ && rest_.starts_with(expected);
    if (good_) rest_.remove_prefix(expected.size());
    return *this;
  }

  Scan& word(std::string& value) {
    const std::string_view found = rest_.substr(0, rest_.find(' '));
    good_ = good_ && is_name(found);
    if (good_) {
      value = found;
      rest_.remove_prefix(found.size());
    }
    return *this;
  }

  template <typename Integer>
  Scan& number(Integer& value) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    good_ = good_ && error == std::errc();
    if (good_) rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return *this;
  }

  bool good() const { return good_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

/// "Algorithm | Tree | Ring |": trimmed.
std::vector<std::string_view> columns_of(std::string_view text) {
  std::vector<std::string_view> columns;
  for (std::size_t bar = text.find('|'); bar != std::string_view::npos; bar = text.find('|')) {
    columns.push_back(trimmed(text.substr(0, bar)));
    text.remove_prefix(bar + 1);
  }
  return columns;
}

/// "   6.6/  12.0": latency in us and bandwidth in GB/s.
std::optional<double> bandwidth_in(std::string_view column) {
  const std::size_t slash = column.find('/');
  if (slash == std::string_view::npos || !number_in(trimmed(column.substr(0, slash)))) return std::nullopt;
  const std::optional<double> bandwidth = number_in(trimmed(column.substr(slash + 1)));
  return bandwidth && *bandwidth >= 0 && *bandwidth < 1e9 ? bandwidth : std::nullopt;
}

class Reader {
 public:
  void read(std::string_view text) {
    choice(text);
    table(text);
    network(text);
    adapters(text);
    nvls(text);
    channels(text);
    for (const char* variable : {"NCCL_ALGO", "NCCL_PROTO"})
      if (Scan scan = Scan(text).text(variable).text(" set by environment to "); scan.good() && is_name(scan.rest()))
        words_.forced[variable] = scan.rest();
  }

  NcclWords words() && {
    for (const auto& [bytes, choice] : choices_)
      if (!contradicted_.contains(bytes)) words_.allreduce.push_back(choice);
    // A plugin may speak as what it replaces: the adapters of "IBext_v11" are those of "IB".
    for (const auto& [name, adapters] : adapters_)
      if (words_.network.starts_with(name)) words_.adapters = adapters;
    return std::move(words_);
  }

 private:
  void choice(std::string_view text) {
    NcclChoice choice;
    int low = 0;
    int high = 0;
    const Scan scan = Scan(text)
                          .text("AllReduce: ")
                          .number(choice.bytes)
                          .text(" Bytes -> Algo ")
                          .word(choice.algorithm)
                          .text(" proto ")
                          .word(choice.protocol)
                          .text(" channel{Lo..Hi}={")
                          .number(low)
                          .text("..")
                          .number(high)
                          .text("}");
    if (!scan.good() || !(scan.rest().empty() || scan.rest().front() == ' ')) return;
    if (choice.bytes <= 0 || choice.bytes > kMostBytes || low < 0 || high < low || high >= kMostChannels) return;
    choice.channels = high - low + 1;
    const auto [before, fresh] = choices_.try_emplace(choice.bytes, choice);
    if (!fresh && before->second != choice) contradicted_.insert(choice.bytes);
  }

  /// Three lines of each part of NCCL's table of what it expects: algorithms, protocols, and one of allreduce.
  void table(std::string_view text) {
    if (!contains(text, "|")) return;
    std::vector<std::string_view> columns = columns_of(text);
    const std::string heading(columns.front());
    columns.erase(columns.begin());
    if (heading == "Algorithm") {
      algorithms_.assign(columns.begin(), columns.end());
      protocols_.clear();
    } else if (heading == "Protocol") {
      // Named once for each algorithm, and in the last part for some that are not there.
      const auto end = columns.empty() ? columns.end() : std::find(columns.begin() + 1, columns.end(), columns[0]);
      protocols_.assign(columns.begin(), end);
    } else if (heading == "AllReduce") {
      offers(columns);
    }
  }

  void offers(const std::vector<std::string_view>& columns) {
    if (columns.empty() || columns.size() != algorithms_.size() * protocols_.size()) return;
    std::vector<NcclOffer> found;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::optional<double> bandwidth = bandwidth_in(columns[i]);
      const std::string& algorithm = algorithms_[i / protocols_.size()];
      const std::string& protocol = protocols_[i % protocols_.size()];
      if (!bandwidth || !is_name(algorithm) || !is_name(protocol)) return;
      found.push_back({algorithm, protocol, *bandwidth});
    }
    words_.offers.insert(words_.offers.end(), found.begin(), found.end());
    algorithms_.clear();
  }

  void network(std::string_view text) {
    std::string name;
    if (const Scan scan = Scan(text).text("Using network ").word(name); scan.good() && scan.rest().empty())
      words_.network = name;
  }

  /// "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>",
  /// "NET/Socket : Using [0]eth0:10.0.0.1<0>".
  void adapters(std::string_view text) {
    std::string name;
    const Scan scan = Scan(text).text("NET/").word(name).text(" : Using ");
    if (!scan.good()) return;
    std::vector<std::string> found;
    for (const std::string_view word : words_of(scan.rest().substr(0, scan.rest().find(';')))) {
      int index = 0;
      const Scan adapter = Scan(word).text("[").number(index).text("]");
      if (!adapter.good()) continue;  // "[RO]", which is of all of them
      const std::string_view whole = adapter.rest();
      const std::string_view shown = whole.ends_with('>') ? whole.substr(0, whole.find(':')) : whole;  // no addresses
      if (!is_name(shown)) return;
      found.emplace_back(shown);
    }
    if (!found.empty()) adapters_[name] = found;
  }

  void nvls(std::string_view text) {
    const Scan scan = Scan(text).text("NVLS multicast support is ");
    if (!scan.good()) return;
    if (scan.rest().starts_with("available on dev ")) words_.nvls = true;
    if (scan.rest().starts_with("not available on dev ")) words_.nvls = false;
  }

  void channels(std::string_view text) {
    int all = 0;
    int collnet = 0;
    int nvls = 0;
    const Scan scan = Scan(text)
                          .number(all)
                          .text(" coll channels, ")
                          .number(collnet)
                          .text(" collnet channels, ")
                          .number(nvls)
                          .text(" nvls channels, ");
    if (!scan.good() || all < 1 || all > kMostChannels || nvls < 0 || nvls > kMostChannels) return;
    words_.channels = all;
    words_.nvls_channels = nvls;
  }

  NcclWords words_;
  std::map<Bytes, NcclChoice> choices_;
  std::set<Bytes> contradicted_;
  std::map<std::string, std::vector<std::string>> adapters_;  ///< by network
  std::vector<std::string> algorithms_;                       ///< of the part of the table that is being read
  std::vector<std::string> protocols_;
};

std::string letters_of(const std::string& name) {
  std::string letters;
  for (const char letter : lowered(name))
    if (letter != '_') letters += letter;
  return letters;
}

}  // namespace

NcclWords nccl_words(const std::string& log) {
  Reader reader;
  for (const LogLine& line : log_lines(log))
    if (const std::size_t mark = line.text.find(kMark); mark != std::string_view::npos && line.ended)
      reader.read(trimmed(line.text.substr(mark + kMark.size())));
  return std::move(reader).words();
}

bool is_same_nccl_name(const std::string& left, const std::string& right) {
  return letters_of(left) == letters_of(right);
}

}  // namespace mgbench
