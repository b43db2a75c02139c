#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace mgbench {

/// One value of a parsed text. YAML and JSON give the same tree, so that a value type has one strict reader
/// for both.
struct Node {
  /// `plain` is an unquoted YAML scalar: a number or a text, as the reader wants it.
  enum class Kind { null, boolean, number, string, plain, sequence, mapping };
  Kind kind = Kind::null;
  std::size_t line = 0;           ///< from 1; 0 where the parser does not tell (JSON)
  std::string text;               ///< of scalars, as written
  std::vector<std::string> keys;  ///< of a mapping, one for each child
  std::vector<Node> children;
};

/// Strict reading of one value: whatever is missing, unknown, of the wrong type or out of range throws
/// Error(bad_input) "file:line: path: what, expected". Valid as long as its Document.
class Value {
 public:
  Value(const std::string& file, const Node& node, std::string path)
      : file_(&file), node_(&node), path_(std::move(path)) {}

  /// Requires a mapping that has all of `required`, and beside them nothing but `optional`.
  const Value& fields(const std::vector<std::string>& required, const std::vector<std::string>& optional = {}) const;
  Value at(std::string_view key) const;
  /// Requires a key `schema` of 1 to `newest`. To be asked first: a newer file may have other keys.
  void require_schema(int newest) const;
  /// None when the key is missing or its value is null.
  std::optional<Value> find(std::string_view key) const;
  /// Of a mapping with free keys, in the order of the text.
  std::vector<std::pair<std::string, Value>> entries() const;
  /// Of a list.
  std::vector<Value> items() const;

  bool is_list() const { return node_->kind == Node::Kind::sequence; }
  bool is_text() const { return node_->kind == Node::Kind::string || node_->kind == Node::Kind::plain; }

  std::string text() const;
  bool boolean() const;
  double number(double low, double high) const;
  template <typename Integer>
  Integer integer(Integer low, Integer high) const;

  /// 0 to 1e9; a bound (30 years) that no sum of times can overflow.
  Seconds seconds() const { return number(0, 1e9); }
  /// Above 0.
  double positive(double high = 1e9) const;
  /// 1 to 2^40, so that no sum can overflow.
  Bytes bytes() const { return integer<Bytes>(1, Bytes{1} << 40); }

  /// For checks of the caller's own.
  template <typename... Arguments>
  [[noreturn]] void wrong(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    complain(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

 private:
  [[noreturn]] void complain(const std::string& message) const;
  std::string description() const;
  void expect(Node::Kind kind, const char* expected) const;
  Value child(std::size_t index) const;

  const std::string* file_;
  const Node* node_;
  std::string path_;
};

class Document {
 public:
  Document(std::string file, Node root) : file_(std::move(file)), root_(std::move(root)) {}
  Value root() const& { return {file_, root_, ""}; }
  Value root() && = delete;

 private:
  std::string file_;
  Node root_;
};

/// Builds a Document from a parser's events, within bounds: files come from anywhere. Throws Error(bad_input)
/// for more than 32 levels, more than four million values, or a key that is there twice.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(std::string file) : file_(std::move(file)) {}

  void begin(Node::Kind kind, std::size_t line);
  void end();
  void key(std::string name, std::size_t line);
  void scalar(Node::Kind kind, std::string text, std::size_t line);
  /// Whether the next value is a key of the innermost mapping.
  bool wants_key() const;

  Document finish() &&;

 private:
  Node& append(Node node);

  std::string file_;
  Node root_;
  std::vector<Node*> open_;  ///< containers from the root inwards
  std::size_t values_ = 0;
};

/// "file:line: message", or "file: message" for line 0. Throws Error(bad_input).
[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& message);

/// Throws Error(bad_input) for texts that no run of this program writes: above 64 MiB.
void require_reasonable_size(const std::string& file, const std::string& text);

template <typename Integer>
Integer Value::integer(Integer low, Integer high) const {
  Integer value = 0;
  const std::string& text = node_->text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool scalar = node_->kind == Node::Kind::number || node_->kind == Node::Kind::plain;
  if (!scalar || error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    wrong("{} is not valid, expected a whole number from {} to {}", description(), low, high);
  return value;
}

}  // namespace mgbench
