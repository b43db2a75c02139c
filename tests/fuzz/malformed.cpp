#include "fuzz/malformed.h"

#include <algorithm>
#include <cctype>
#include <random>
#include <string_view>
#include <utility>

namespace mgbench {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kLong = 100'000;

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

/// What stands in place of a word or of a number: out of range, no number, of another type, without end.
Texts replacements() {
  return {"1e999",
          "-1e999",
          "1e-999",
          "1e308",
          "-1",
          "-0",
          "0",
          "0x10",
          "1.5",
          "2147483648",
          "9223372036854775808",
          "99999999999999999999999999",
          "nan",
          "-nan",
          "inf",
          "1,5",
          "1_000",
          "\"text\"",
          "\"",
          "''",
          "null",
          "true",
          "[]",
          "{}",
          "[[1]]",
          "{\"a\": 1}",
          "- -",
          "<script>",
          "$(id)",
          "../../x",
          "%s%n",
          "&a [1]",
          "*a",
          "!!binary x",
          std::string("\0", 1),
          "\xFF",
          "\xC0\x80",
          "\xED\xA0\x80",
          "\xC2\x9B",
          "\x1B[2J",
          "\\u001b[2J",  // as texts of JSON and YAML spell it
          "\"\\u001b[2J\"",
          "\r\n",
          repeated("9", 10'000),
          "0." + repeated("0", 10'000) + "1",
          repeated("x", kLong),
          repeated("x ", kLong),
          repeated("\xF0\x9F\x90\xA2", kLong / 4),
          repeated("[", 100'000),
          repeated("{\"a\":", 10'000),
          repeated("- ", 10'000),
          repeated("? ", 10'000)};
}

/// Texts that no writer has written; of these none is read faithfully by anything.
Texts strangers() {
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'z'; ++name)
    laughs += std::string(1, name) + ": &" + name + repeated(" [*" + std::string(1, static_cast<char>(name - 1)), 1) +
              repeated(", *" + std::string(1, static_cast<char>(name - 1)), 7) + "]\n";
  std::string blocks;
  for (std::size_t depth = 0; depth < 1000; ++depth) blocks += std::string(depth, ' ') + "a:\n";
  return {"",
          " ",
          "\n",
          "\xEF\xBB\xBF",
          "\xFF\xFE{\0}\0",
          std::string(kLong, '\0'),
          std::string(kLong, ' '),
          std::string(kLong, '\n'),
          std::string(kLong, ','),
          std::string(kLong, '-'),
          std::string(kLong, '#'),
          std::string(kLong, '['),
          std::string(kLong, '\''),
          repeated("\xFF", kLong),
          repeated("\"", kLong),
          repeated("a: 1\n", 100'000),
          repeated("- 1\n", 100'000),
          repeated("1 1\n", 100'000),
          repeated("1,1\n", 100'000),
          repeated("---\n", 100'000),
          "[" + repeated("0,", 100'000) + "0]",
          "{" + repeated("\"a\":0,", 100'000) + "\"b\":0}",
          laughs,
          blocks,
          "a: &a [*a]",
          "<<: *a"};
}

class Malformer {
 public:
  explicit Malformer(const std::string& text) : text_(text) {}

  Texts all() {
    for (std::size_t i = 0; i < 60; ++i) add(text_.substr(0, text_.size() * i / 60));
    for (int i = 0; i < 60; ++i) add(with_flipped_bits());
    for (const std::string& replacement : replacements())
      for (int i = 0; i < 2; ++i) add(with_another_word(replacement));
    for (int i = 0; i < 30; ++i) add(with_lines_moved());
    add(repeated(text_, 2));
    add(repeated(text_, 1 + kLong / (text_.size() + 1)));
    const auto [begin, end] = some_lines();
    add(text_.substr(0, end) + repeated(text_.substr(begin, end - begin), 1 + kLong / (end - begin + 1)) +
        text_.substr(end));
    for (std::string& stranger : strangers()) add(std::move(stranger));
    return std::move(texts_);
  }

 private:
  void add(std::string text) { texts_.push_back(std::move(text)); }

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  std::string with_flipped_bits() {
    std::string text = text_;
    for (std::size_t flips = 1 + below(4); flips > 0; --flips) {
      char& letter = text[below(text.size())];
      letter = static_cast<char>(letter ^ (1 << below(8)));
    }
    return text;
  }

  /// A word or a number, wherever it stands, becomes the replacement.
  std::string with_another_word(const std::string& replacement) {
    const auto part_of_word = [](char letter) {
      return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '_';
    };
    std::size_t begin = below(text_.size());
    while (begin < text_.size() && !part_of_word(text_[begin])) ++begin;
    while (begin > 0 && part_of_word(text_[begin - 1])) --begin;
    std::size_t end = begin;
    while (end < text_.size() && part_of_word(text_[end])) ++end;
    return text_.substr(0, begin) + replacement + text_.substr(end);
  }

  std::pair<std::size_t, std::size_t> some_lines() {
    const std::size_t at = below(text_.size());
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    std::size_t end = begin;
    for (std::size_t lines = 1 + below(3); lines > 0 && end != text_.size(); --lines)
      end = std::min(text_.find('\n', end), text_.size() - 1) + 1;
    return {begin, end};
  }

  /// Lines are there twice, nowhere, or elsewhere.
  std::string with_lines_moved() {
    const auto [begin, end] = some_lines();
    const std::string lines = text_.substr(begin, end - begin);
    std::string text = text_;
    const std::size_t kind = below(3);
    if (kind > 0) text.erase(begin, end - begin);
    if (kind == 0) text.insert(begin, lines);
    if (kind == 2) text.insert(below(text.size()), lines);
    return text;
  }

  const std::string& text_;
  std::mt19937_64 random_{6};
  Texts texts_;
};

}  // namespace

Texts malformed(const std::string& text) {
  return Malformer(text).all();
}

std::vector<std::string> with_control_characters(const std::string& text) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]));
  };
  Texts texts;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (!letter(i - 1) || !letter(i) || (i > 1 && letter(i - 2))) continue;  // inside a word, behind its first letter
    for (const char* character : {"\f", "\\u000c"}) texts.push_back(std::string(text).insert(i, character));
  }
  return texts;
}

}  // namespace mgbench
