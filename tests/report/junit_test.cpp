#include "report/junit.h"

#include <gtest/gtest.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <regex>
#include <sstream>

namespace mgbench {
namespace {

using Tree = boost::property_tree::ptree;
using Outcome = TestCase::Outcome;

Tree parsed(const std::string& xml) {
  std::istringstream stream(xml);
  Tree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree.get_child("testsuites.testsuite");
}

std::string attribute(const Tree& element, const std::string& name) {
  return element.get<std::string>(Tree::path_type("<xmlattr>/" + name, '/'));
}

std::vector<Tree> cases_of(const Tree& suite) {
  std::vector<Tree> cases;
  for (const auto& [name, child] : suite)
    if (name == "testcase") cases.push_back(child);
  return cases;
}

TEST(Junit, CountsAndMarksItsCases) {
  const Tree suite = parsed(junit_xml("mgbench check", "2026-11-29T10:00:00Z",
                                      {{"a", Outcome::passed, "fine"},
                                       {"b", Outcome::failed, "slow"},
                                       {"c", Outcome::error, "not measured"},
                                       {"d", Outcome::skipped, "advisory"},
                                       {"e", Outcome::failed, "slow too"}}));
  EXPECT_EQ(attribute(suite, "tests"), "5");
  EXPECT_EQ(attribute(suite, "failures"), "2");
  EXPECT_EQ(attribute(suite, "errors"), "1");
  EXPECT_EQ(attribute(suite, "skipped"), "1");
  EXPECT_EQ(suite.get<std::string>("system-out"), "a: fine\n");
  const std::vector<Tree> cases = cases_of(suite);
  ASSERT_EQ(cases.size(), 5U);
  EXPECT_EQ(cases[0].size(), 1U) << "nothing but its attributes";
  EXPECT_EQ(attribute(cases[1].get_child("failure"), "message"), "slow");
  EXPECT_EQ(attribute(cases[2].get_child("error"), "message"), "not measured");
  EXPECT_EQ(attribute(cases[3].get_child("skipped"), "message"), "advisory");
}

/// The schema of Ant lists all of these, in this order; that of Jenkins takes them.
TEST(Junit, HasWhatTheSchemasAskFor) {
  const Tree suite = parsed(junit_xml("suite", "2026-11-29T10:00:00Z", {{"a", Outcome::failed, "slow"}}));
  for (const char* name : {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"})
    EXPECT_NE(attribute(suite, name), "") << name;
  EXPECT_EQ(attribute(suite, "timestamp"), "2026-11-29T10:00:00") << "without a zone";
  std::vector<std::string> children;
  for (const auto& [name, child] : suite) children.push_back(name);
  EXPECT_EQ(children, (std::vector<std::string>{"<xmlattr>", "properties", "testcase", "system-out", "system-err"}));
  const Tree test = cases_of(suite).at(0);
  for (const char* name : {"name", "classname", "time"}) EXPECT_NE(attribute(test, name), "") << name;
  EXPECT_EQ(attribute(test.get_child("failure"), "type"), "failure");
}

TEST(Junit, ADateThatIsNoneDoesNoHarm) {
  for (const char* date : {"", "yesterday", "2026-11-29"})
    EXPECT_EQ(attribute(parsed(junit_xml("suite", date, {})), "timestamp"), "1970-01-01T00:00:00");
}

TEST(Junit, HoldsAnyText) {
  const std::string host(300, 'h');
  const std::string nasty = "<a href=\"x\">&amp;'\" ]]> \xF0\x9F\x98\x80 " + host;
  const std::string controls = std::string("\x01\x02\x1b[31m\x7f", 8) + "\n\ttab";
  const std::string xml = junit_xml("suite", "", {{nasty, Outcome::failed, controls}, {"b", Outcome::passed, nasty}});
  const Tree suite = parsed(xml);
  EXPECT_EQ(attribute(cases_of(suite)[0], "name"), nasty);
  EXPECT_EQ(attribute(cases_of(suite)[0].get_child("failure"), "message"), "[31m  tab");
  EXPECT_EQ(suite.get<std::string>("system-out"), "b: " + nasty + "\n");
}

TEST(Junit, WhatXmlCannotHoldIsLeftOut) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  const std::string xml = junit_xml("suite", "", {{bytes + "\xEF\xBF\xBE\xEF\xBF\xBF", Outcome::skipped, bytes}});
  for (const unsigned char letter : xml) EXPECT_TRUE(letter == '\n' || (letter >= 0x20 && letter != 0x7f));
  EXPECT_EQ(xml.find("\xEF\xBF\xBE"), std::string::npos);
  EXPECT_EQ(xml.find("\xEF\xBF\xBF"), std::string::npos);
  EXPECT_NE(xml.find("\xEF\xBF\xBD"), std::string::npos) << "bytes that are not UTF-8 are replaced";
  EXPECT_EQ(cases_of(parsed(xml)).size(), 1U);
}

}  // namespace
}  // namespace mgbench
