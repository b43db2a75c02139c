#include "report/document.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/names.h"
#include "base/printable.h"

namespace mgbench {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostValues = 4'000'000;
constexpr std::size_t kLargestText = std::size_t{64} << 20;

}  // namespace

const Value& Value::fields(const std::vector<std::string>& required, const std::vector<std::string>& optional) const {
  expect(Node::Kind::mapping, "a mapping");
  std::vector<std::string> known = required;
  known.insert(known.end(), optional.begin(), optional.end());
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    if (std::find(known.begin(), known.end(), node_->keys[i]) == known.end())
      child(i).wrong("unknown key{}", suggestion(node_->keys[i], known));

  std::vector<std::string> missing;
  for (const std::string& key : required)
    if (std::find(node_->keys.begin(), node_->keys.end(), key) == node_->keys.end()) missing.push_back(key);
  if (!missing.empty()) wrong("missing {}: {}", missing.size() == 1 ? "key" : "keys", fmt::join(missing, ", "));
  return *this;
}

Value Value::at(std::string_view key) const {
  expect(Node::Kind::mapping, "a mapping");
  const auto found = std::find(node_->keys.begin(), node_->keys.end(), key);
  if (found == node_->keys.end()) wrong("missing key: {}", key);
  return child(static_cast<std::size_t>(found - node_->keys.begin()));
}

void Value::require_schema(int newest) const {
  const Value schema = at("schema");
  const int number = schema.integer<int>(1, std::numeric_limits<int>::max());
  if (number > newest) schema.wrong("{} is of a newer mgbench, expected {} at most", number, newest);
}

std::optional<Value> Value::find(std::string_view key) const {
  expect(Node::Kind::mapping, "a mapping");
  const auto found = std::find(node_->keys.begin(), node_->keys.end(), key);
  if (found == node_->keys.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - node_->keys.begin());
  if (node_->children[index].kind == Node::Kind::null) return std::nullopt;
  return child(index);
}

std::vector<std::pair<std::string, Value>> Value::entries() const {
  expect(Node::Kind::mapping, "a mapping");
  std::vector<std::pair<std::string, Value>> result;
  for (std::size_t i = 0; i < node_->children.size(); ++i) result.emplace_back(node_->keys[i], child(i));
  return result;
}

std::vector<Value> Value::items() const {
  expect(Node::Kind::sequence, "a list");
  std::vector<Value> result;
  for (std::size_t i = 0; i < node_->children.size(); ++i) result.push_back(child(i));
  return result;
}

std::string Value::text() const {
  if (node_->kind != Node::Kind::plain) expect(Node::Kind::string, "a text");
  return node_->text;
}

bool Value::boolean() const {
  const bool scalar = node_->kind == Node::Kind::boolean || node_->kind == Node::Kind::plain;
  if (!scalar || (node_->text != "true" && node_->text != "false"))
    wrong("{} is not valid, expected true or false", description());
  return node_->text == "true";
}

double Value::number(double low, double high) const {
  double value = 0;
  const std::string& text = node_->text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool scalar = node_->kind == Node::Kind::number || node_->kind == Node::Kind::plain;
  if (!scalar || error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
    wrong("{} is not valid, expected a number from {:g} to {:g}", description(), low, high);
  return value;
}

double Value::positive(double high) const {
  const double value = number(0, high);
  if (value == 0) wrong("0 is not valid, expected a number above 0");
  return value;
}

void Value::complain(const std::string& message) const {
  fail_at(*file_, node_->line, path_.empty() ? message : path_ + ": " + message);
}

std::string Value::description() const {
  switch (node_->kind) {
    case Node::Kind::null:
      return "no value";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::mapping:
      return "a mapping";
    case Node::Kind::string:
      return fmt::format("the text \"{}\"", excerpt(node_->text));
    default:
      return fmt::format("'{}'", excerpt(node_->text));
  }
}

void Value::expect(Node::Kind kind, const char* expected) const {
  if (node_->kind != kind) wrong("{} is not valid, expected {}", description(), expected);
}

Value Value::child(std::size_t index) const {
  std::string path = node_->kind == Node::Kind::sequence
                         ? fmt::format("{}[{}]", path_, index)
                         : fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", excerpt(node_->keys[index]));
  return {*file_, node_->children[index], std::move(path)};
}

void DocumentBuilder::begin(Node::Kind kind, std::size_t line) {
  if (open_.size() == kDeepest) fail_at(file_, line, fmt::format("nested deeper than {} levels", kDeepest));
  open_.push_back(&append({.kind = kind, .line = line, .text = {}, .keys = {}, .children = {}}));
}

void DocumentBuilder::end() {
  std::vector<std::string> keys = open_.back()->keys;
  std::sort(keys.begin(), keys.end());
  if (const auto twice = std::adjacent_find(keys.begin(), keys.end()); twice != keys.end())
    fail_at(file_, open_.back()->line, fmt::format("the key '{}' is there twice", excerpt(*twice)));
  open_.pop_back();
}

void DocumentBuilder::key(std::string name, std::size_t line) {
  if (!wants_key()) fail_at(file_, line, fmt::format("the key '{}' has no value", excerpt(name)));
  open_.back()->keys.push_back(std::move(name));
}

void DocumentBuilder::scalar(Node::Kind kind, std::string text, std::size_t line) {
  append({.kind = kind, .line = line, .text = std::move(text), .keys = {}, .children = {}});
}

bool DocumentBuilder::wants_key() const {
  return !open_.empty() && open_.back()->kind == Node::Kind::mapping &&
         open_.back()->keys.size() == open_.back()->children.size();
}

Document DocumentBuilder::finish() && {
  return {std::move(file_), std::move(root_)};
}

/// Only the innermost open container grows, so that the pointers to those around it stay valid.
Node& DocumentBuilder::append(Node node) {
  if (++values_ > kMostValues) fail_at(file_, node.line, fmt::format("more than {} values", kMostValues));
  if (open_.empty()) return root_ = std::move(node);
  return open_.back()->children.emplace_back(std::move(node));
}

void fail_at(const std::string& file, std::size_t line, const std::string& message) {
  if (line == 0) fail(ExitCode::bad_input, "{}: {}", file, message);
  fail(ExitCode::bad_input, "{}:{}: {}", file, line, message);
}

void require_reasonable_size(const std::string& file, const std::string& text) {
  require(text.size() <= kLargestText, "{}: {} is more than this program reads, expected at most {}", file,
          format_bytes(static_cast<Bytes>(text.size())), format_bytes(static_cast<Bytes>(kLargestText)));
}

}  // namespace mgbench
