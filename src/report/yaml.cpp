#include "report/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

namespace mgbench {
namespace {

std::size_t line_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(mark.line) + 1;
}

/// yaml-cpp's own tree (YAML::Node) keeps the last of two equal keys and follows aliases without bound; its
/// events do not.
class Events : public YAML::EventHandler {
 public:
  explicit Events(const std::string& file) : file_(file), builder_(file) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) fail_at(file_, line_of(mark), "a second document, expected one");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse(mark, "", anchor);
    if (builder_.wants_key()) fail_at(file_, line_of(mark), "a key is empty");
    builder_.scalar(Node::Kind::null, "", line_of(mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { refuse(mark, "", anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse(mark, tag, anchor);
    if (builder_.wants_key())
      builder_.key(value, line_of(mark));
    else
      builder_.scalar(tag == "!" ? Node::Kind::string : Node::Kind::plain, value, line_of(mark));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(Node::Kind::sequence, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(Node::Kind::mapping, mark, tag, anchor);
  }
  void OnSequenceEnd() override { builder_.end(); }
  void OnMapEnd() override { builder_.end(); }

  Document finish() && { return std::move(builder_).finish(); }

 private:
  void begin(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    refuse(mark, tag, anchor);
    if (builder_.wants_key()) fail_at(file_, line_of(mark), "a key is a list or a mapping, expected a text");
    builder_.begin(kind, line_of(mark));
  }

  /// yaml-cpp gives untagged values the tags "?" (plain, lists, mappings) and "!" (quoted).
  void refuse(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != 0) fail_at(file_, line_of(mark), "anchors (&) and aliases (*) are not read; write the value out");
    if (tag.size() > 1) fail_at(file_, line_of(mark), fmt::format("the tag {} is not read; leave it out", tag));
  }

  const std::string& file_;
  DocumentBuilder builder_;
  int documents_ = 0;
};

}  // namespace

Document parse_yaml(const std::string& text, const std::string& file) {
  require_reasonable_size(file, text);
  std::istringstream stream(text);
  Events events(file);
  try {
    YAML::Parser parser(stream);
    require(parser.HandleNextDocument(events), "{}: empty, expected a YAML document", file);
    parser.HandleNextDocument(events);
  } catch (const YAML::Exception& error) {
    fail_at(file, line_of(error.mark), fmt::format("not YAML: {}", error.msg));
  }
  return std::move(events).finish();
}

std::string yaml_scalar(const std::string& text) {
  const auto harmless = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto inner = [&](unsigned char c) {
    return harmless(c) || (c != '\0' && std::strchr(" .+-/()", c) != nullptr);
  };
  static constexpr std::array<std::string_view, 3> kNull{"null", "Null", "NULL"};
  const bool plain = !text.empty() && harmless(static_cast<unsigned char>(text.front())) && text.back() != ' ' &&
                     std::all_of(text.begin(), text.end(), inner) &&
                     std::find(kNull.begin(), kNull.end(), text) == kNull.end();
  // A JSON string is a YAML string in double quotes. Bytes that are not UTF-8 cannot be written in either.
  return plain ? text : nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace mgbench
