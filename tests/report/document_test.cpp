#include "report/document.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "report/json.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

template <typename Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

std::string yaml_error(const std::string& text) {
  return message_of([&] { parse_yaml(text, "f.yaml"); });
}

std::string json_error(const std::string& text) {
  return message_of([&] { parse_json(text, "f.json"); });
}

TEST(Yaml, TellsFileLineAndPathOfWhatIsWrong) {
  const Document document = parse_yaml("ranks: 8\ncurves:\n  - {bytes: 4, second: 1e-3}\n", "f.yaml");
  const Value root = document.root();
  EXPECT_EQ(message_of([&] {
              root.at("curves").items()[0].fields({"bytes", "seconds"});
            }),
            "f.yaml:3: curves[0].second: unknown key; did you mean 'seconds'? choices: bytes, seconds");
  EXPECT_EQ(message_of([&] {
              root.fields({"ranks", "curves", "schema", "date"});
            }),
            "f.yaml:1: missing keys: schema, date");
  EXPECT_EQ(message_of([&] { root.at("x"); }), "f.yaml:1: missing key: x");
  EXPECT_EQ(message_of([&] { root.at("ranks").items(); }), "f.yaml:1: ranks: '8' is not valid, expected a list");
  EXPECT_EQ(message_of([&] { root.at("curves").number(0, 1); }),
            "f.yaml:3: curves: a list is not valid, expected a number from 0 to 1");
}

TEST(Yaml, QuotesOnOneLineWithoutControlCharacters) {
  const Document document = parse_yaml("\"ran\\nks\\e[31m\": 8\n", "f.yaml");
  EXPECT_EQ(message_of([&] { document.root().fields({"ranks"}); }),
            "f.yaml:1: ran ks [31m: unknown key; choices: ranks");
}

TEST(Yaml, ReadsNumbersAsPeopleWriteThem) {
  const Document document = parse_yaml("[2.348e-3, 5, 0.25, 1E3]", "f.yaml");
  const auto items = document.root().items();
  EXPECT_EQ(items[0].number(0, 1), 2.348e-3);
  EXPECT_EQ(items[1].integer<int>(0, 9), 5);
  EXPECT_EQ(items[2].positive(), 0.25);
  EXPECT_EQ(items[3].seconds(), 1000);
}

TEST(Yaml, RefusesWhatIsNotANumberInRange) {
  for (const std::string text :
       {"nan", "inf", "-inf", "1e999", "1,5", "1.5x", "0x10", "1e", "''", "'1'", "~", "[]", "{}", "-1", "3"}) {
    const Document document = parse_yaml("a: " + text, "f.yaml");
    EXPECT_THROW(document.root().at("a").number(0, 2), Error) << text;
  }
  for (const std::string text : {"1.0", "1e0", "-1", "4", "99999999999999999999", "one", "'1'", "~"}) {
    const Document document = parse_yaml("a: " + text, "f.yaml");
    EXPECT_THROW(document.root().at("a").integer<int>(0, 3), Error) << text;
  }
  const Document zero = parse_yaml("0", "f.yaml");
  EXPECT_THROW(zero.root().positive(), Error);
}

TEST(Yaml, RefusesWhatAConfigurationDoesNotNeed) {
  EXPECT_EQ(yaml_error("a: 1\nb: 2\na: 3\n"), "f.yaml:1: the key 'a' is there twice");
  EXPECT_EQ(yaml_error("a: &x 1\nb: *x\n"), "f.yaml:1: anchors (&) and aliases (*) are not read; write the value out");
  EXPECT_EQ(yaml_error("a: !!int 1\n"), "f.yaml:1: the tag tag:yaml.org,2002:int is not read; leave it out");
  EXPECT_EQ(yaml_error("a: 1\n---\nb: 2\n"), "f.yaml:2: a second document, expected one");
  EXPECT_EQ(yaml_error("[a, b]: 1\n"), "f.yaml:1: a key is a list or a mapping, expected a text");
  EXPECT_EQ(yaml_error(": 1\n"), "f.yaml:1: a key is empty");
  EXPECT_EQ(yaml_error(""), "f.yaml: empty, expected a YAML document");
  EXPECT_EQ(yaml_error("# only a comment\n"), "f.yaml: empty, expected a YAML document");
  EXPECT_NE(yaml_error("a: [1, 2\nb: 3\n").find("f.yaml:2: not YAML: "), std::string::npos);
}

TEST(Documents, AreBounded) {
  const std::size_t deep = 100'000;
  std::string nested;
  for (std::size_t level = 0; level < deep; ++level) nested += "- ";
  EXPECT_EQ(yaml_error(nested), "f.yaml:1: nested deeper than 32 levels");
  EXPECT_NE(yaml_error(std::string(deep, '[')), "no error");
  EXPECT_EQ(json_error(std::string(deep, '[')), "f.json: nested deeper than 32 levels");
  EXPECT_EQ(json_error(std::string(32, '[') + std::string(32, ']')), "no error");
  EXPECT_EQ(json_error(std::string((std::size_t{64} << 20) + 1, ' ')),
            "f.json: 64.0 MiB is more than this program reads, expected at most 64.0 MiB");
  EXPECT_EQ(message_of([] {
              DocumentBuilder builder("f.json");
              for (int i = 0; i <= 4'000'000; ++i) builder.scalar(Node::Kind::number, "0", 0);
            }),
            "f.json: more than 4000000 values");
}

TEST(Documents, AreTakenUpToTheirBoundsAndNotOneFurther) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  for (const auto error : {yaml_error, json_error}) {
    EXPECT_EQ(error(nested(32)), "no error");
    EXPECT_NE(error(nested(33)), "no error");
  }
  const auto with_values = [](int count) {
    DocumentBuilder builder("f.json");
    for (int i = 0; i < count; ++i) builder.scalar(Node::Kind::number, "0", 0);
  };
  EXPECT_EQ(message_of([&] { with_values(4'000'000); }), "no error");
  EXPECT_NE(message_of([&] { with_values(4'000'001); }), "no error");
  constexpr std::size_t kLargest = std::size_t{64} << 20;
  EXPECT_EQ(message_of([] { require_reasonable_size("f.json", std::string(kLargest, ' ')); }), "no error");
  EXPECT_NE(message_of([] { require_reasonable_size("f.json", std::string(kLargest + 1, ' ')); }), "no error");
}

TEST(Json, TellsWhereTheTextIsBroken) {
  EXPECT_EQ(json_error("{\"a\": 1,\n\"b\": }").substr(0, 18), "f.json:2: not JSON");
  EXPECT_NE(json_error("{\"a\": [1, 2").find("unexpected end of input"), std::string::npos);
  EXPECT_NE(json_error("").find("f.json:1: not JSON"), std::string::npos);
  EXPECT_NE(json_error("{} {}").find("not JSON"), std::string::npos);
  EXPECT_NE(json_error("[1e999]").find("not JSON"), std::string::npos);
  EXPECT_NE(json_error("[NaN]").find("not JSON"), std::string::npos);
  EXPECT_EQ(json_error("{\"a\": 1, \"a\": 2}"), "f.json: the key 'a' is there twice");
}

TEST(Json, KeepsTypesApart) {
  const Document document = parse_json(R"({"text": "1", "number": 1, "flag": true, "none": null})", "f.json");
  const Value root = document.root();
  EXPECT_EQ(message_of([&] { root.at("text").number(0, 1); }),
            "f.json: text: the text \"1\" is not valid, expected a number from 0 to 1");
  EXPECT_EQ(message_of([&] { root.at("number").text(); }), "f.json: number: '1' is not valid, expected a text");
  EXPECT_EQ(message_of([&] { root.at("number").boolean(); }),
            "f.json: number: '1' is not valid, expected true or false");
  EXPECT_EQ(message_of([&] { root.at("none").text(); }), "f.json: none: no value is not valid, expected a text");
  EXPECT_TRUE(root.at("flag").boolean());
  EXPECT_FALSE(root.find("none"));
  EXPECT_FALSE(root.find("other"));
}

TEST(Json, NeverWritesWhatIsNotFinite) {
  const auto write = [](double value) { write_json({{"samples", Json::array({1.0, value})}}); };
  try {
    write(std::numeric_limits<double>::quiet_NaN());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::not_measured);
    EXPECT_STREQ(error.what(), "the result's samples[1] is not a finite number and cannot be saved");
  }
  EXPECT_THROW(write(std::numeric_limits<double>::infinity()), Error);
}

TEST(Json, HasOneLineForWhatIsShort) {
  EXPECT_EQ(write_json({{"a", 1}, {"b", {1.5, 2}}}), "{\"a\": 1, \"b\": [1.5, 2]}\n");
  const std::string word(150, 'x');
  EXPECT_EQ(write_json({{"a", word}, {"b", Json::array({word})}}),
            "{\n  \"a\": \"" + word + "\",\n  \"b\": [\"" + word + "\"]\n}\n");
}

std::string arbitrary_text() {
  const auto character = rc::gen::weightedOneOf<std::string>(
      {{8, rc::gen::map(rc::gen::inRange(1, 127), [](int c) { return std::string(1, static_cast<char>(c)); })},
       {1, rc::gen::elementOf(
               std::vector<std::string>{"±", "µ", "漢", "🙂", " ", ": ", "#", "'", "\"", "\\", "\n", "null"})}});
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(character)) text += part;
  return text;
}

RC_GTEST_PROP(Yaml, WritesAnyTextSoThatItReadsBack, ()) {
  const std::string text = arbitrary_text();
  const std::string scalar = yaml_scalar(text);
  RC_ASSERT(scalar.find('\n') == std::string::npos);
  const Document plain = parse_yaml("a: " + scalar + "  # comment\n", "f.yaml");
  RC_ASSERT(plain.root().at("a").text() == text);
  const Document flow = parse_yaml("{a: " + scalar + ", b: [" + scalar + "]}\n", "f.yaml");
  RC_ASSERT(flow.root().at("b").items()[0].text() == text);
}

RC_GTEST_PROP(Json, WritesAnyTextAndNumberSoThatTheyReadBack, ()) {
  const std::string text = arbitrary_text();
  const double number = *rc::gen::arbitrary<double>();
  const Document document = parse_json(write_json({{"text", text}, {"number", number}}), "f.json");
  RC_ASSERT(document.root().at("text").text() == text);
  RC_ASSERT(document.root().at("number").number(-1e300, 1e300) == number);
}

}  // namespace
}  // namespace mgbench
