#include "report/junit.h"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cctype>
#include <sstream>
#include <string_view>

#include "report/json.h"

namespace mgbench {
namespace {

using Tree = boost::property_tree::ptree;

/// UTF-8 without what XML 1.0 forbids: control characters, U+FFFE and U+FFFF. Ends of lines and tabs become spaces, as
/// XML readers make of them in attributes.
std::string xml_text(const std::string& text) {
  // Bytes that are not UTF-8 become U+FFFD on the way through JSON.
  std::string valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  for (const char* forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    for (std::size_t at = valid.find(forbidden); at != std::string::npos; at = valid.find(forbidden, at))
      valid.erase(at, 3);
  std::replace_if(
      valid.begin(), valid.end(), [](unsigned char letter) { return std::isspace(letter) != 0; }, ' ');
  std::erase_if(valid, [](unsigned char letter) { return std::iscntrl(letter) != 0; });
  return valid;
}

/// The schema of Ant wants a time without a zone.
std::string timestamp_of(const std::string& date) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  const auto alike = [](char wanted, char given) {
    return wanted == 'd' ? std::isdigit(static_cast<unsigned char>(given)) != 0 : wanted == given;
  };
  const bool is_time = date.size() >= kForm.size() && std::equal(kForm.begin(), kForm.end(), date.begin(), alike);
  return is_time ? date.substr(0, kForm.size()) : "1970-01-01T00:00:00";
}

void set(Tree& element, const std::string& attribute, const std::string& value) {
  element.put(Tree::path_type("<xmlattr>/" + attribute, '/'), xml_text(value));
}

const char* element_of(TestCase::Outcome outcome) {
  switch (outcome) {
    case TestCase::Outcome::failed:
      return "failure";
    case TestCase::Outcome::error:
      return "error";
    case TestCase::Outcome::skipped:
      return "skipped";
    case TestCase::Outcome::passed:
      break;
  }
  return nullptr;
}

Tree tree_of(const TestCase& test, const std::string& suite) {
  Tree element;
  set(element, "name", test.name);
  set(element, "classname", suite);
  set(element, "time", "0");
  if (const char* name = element_of(test.outcome)) {
    Tree& reason = element.add_child(name, Tree());
    set(reason, "message", test.message);
    if (test.outcome != TestCase::Outcome::skipped) set(reason, "type", name);
  }
  return element;
}

}  // namespace

std::string junit_xml(const std::string& suite, const std::string& date, const std::vector<TestCase>& cases) {
  const auto count = [&](TestCase::Outcome outcome) {
    return std::to_string(
        std::count_if(cases.begin(), cases.end(), [&](const TestCase& test) { return test.outcome == outcome; }));
  };
  Tree element;
  set(element, "name", suite);
  set(element, "package", suite);
  set(element, "id", "0");
  set(element, "timestamp", timestamp_of(date));
  set(element, "hostname", "localhost");
  set(element, "tests", std::to_string(cases.size()));
  set(element, "failures", count(TestCase::Outcome::failed));
  set(element, "errors", count(TestCase::Outcome::error));
  set(element, "skipped", count(TestCase::Outcome::skipped));
  set(element, "time", "0");
  element.add_child("properties", Tree());
  std::string passed;
  for (const TestCase& test : cases) {
    element.add_child("testcase", tree_of(test, suite));
    if (test.outcome == TestCase::Outcome::passed) passed += xml_text(test.name + ": " + test.message) + "\n";
  }
  element.add("system-out", passed);
  element.add_child("system-err", Tree());

  Tree document;
  document.add_child("testsuites.testsuite", element);
  std::ostringstream text;
  boost::property_tree::write_xml(text, document,
                                  boost::property_tree::xml_writer_make_settings<std::string>(' ', 2, "UTF-8"));
  return std::move(text).str();
}

}  // namespace mgbench
