#include "report/json.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace mgbench {
namespace {

constexpr std::size_t kLine = 280;  // a sample with all its digits

std::string scalar(const Json& value) {
  // What hosts and environments hold may not be UTF-8; a result is not lost for that. In ASCII alone, since terminals
  // obey control characters beyond it, too.
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Writes the value on one line if `indent` is negative, else with its children on lines of their own.
void write(std::string& out, const Json& value, const std::string& path, int indent) {
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    fail(ExitCode::not_measured, "the result's {} is not a finite number and cannot be saved", path);
  if (!value.is_structured()) {
    out += scalar(value);
    return;
  }
  if (indent >= 0) {
    std::string line;
    write(line, value, path, -1);
    if (line.size() + static_cast<std::size_t>(indent) <= kLine) {
      out += line;
      return;
    }
  }
  const bool object = value.is_object();
  const int inner = indent < 0 ? -1 : indent + 2;
  out += object ? '{' : '[';
  std::size_t index = 0;
  for (auto child = value.begin(); child != value.end(); ++child, ++index) {
    if (index > 0) out += indent < 0 ? ", " : ",";
    if (indent >= 0) out.append(1, '\n').append(static_cast<std::size_t>(inner), ' ');
    if (object) out += scalar(child.key()) + ": ";
    write(out, *child, object ? path + (path.empty() ? "" : ".") + child.key() : fmt::format("{}[{}]", path, index),
          inner);
  }
  if (indent >= 0) out.append(1, '\n').append(static_cast<std::size_t>(indent), ' ');
  out += object ? '}' : ']';
}

/// nlohmann's own tree keeps the last of two equal keys and nests without bound; its events do not.
class Events : public nlohmann::json_sax<nlohmann::json> {
 public:
  Events(const std::string& text, const std::string& file) : text_(text), file_(file), builder_(file) {}

  bool null() override { return scalar(Node::Kind::null, ""); }
  bool boolean(bool value) override { return scalar(Node::Kind::boolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(Node::Kind::number, std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(Node::Kind::number, std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) override { return scalar(Node::Kind::number, written); }
  bool string(string_t& value) override { return scalar(Node::Kind::string, std::move(value)); }
  bool binary(binary_t&) override { return false; }  // not in JSON texts
  bool start_object(std::size_t) override { return begin(Node::Kind::mapping); }
  bool start_array(std::size_t) override { return begin(Node::Kind::sequence); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& name) override {
    builder_.key(std::move(name), 0);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(position, text_.size()));
    const auto line = static_cast<std::size_t>(1 + std::count(text_.begin(), end, '\n'));
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what"
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    fail_at(file_, line,
            fmt::format("not JSON: {}", colon == std::string_view::npos ? token : std::string(what.substr(colon + 2))));
  }

  Document finish() && { return std::move(builder_).finish(); }

 private:
  bool scalar(Node::Kind kind, std::string value) {
    builder_.scalar(kind, std::move(value), 0);
    return true;
  }
  bool begin(Node::Kind kind) {
    builder_.begin(kind, 0);
    return true;
  }
  bool end() {
    builder_.end();
    return true;
  }

  const std::string& text_;
  const std::string& file_;
  DocumentBuilder builder_;
};

}  // namespace

std::string write_json(const Json& value) {
  std::string out;
  write(out, value, "", 0);
  return out + '\n';
}

Document parse_json(const std::string& text, const std::string& file) {
  require_reasonable_size(file, text);
  Events events(text, file);
  nlohmann::json::sax_parse(text, &events);
  return std::move(events).finish();
}

}  // namespace mgbench
