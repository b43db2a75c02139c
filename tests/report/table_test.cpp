#include "report/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"

namespace mgbench {
namespace {

TEST(Table, AlignsItsColumns) {
  Table table({{"strategy", "", Table::Align::left}, {"time", "ms"}, {"note", "", Table::Align::left}});
  table.add({"wfbp", "12.50", "first"});
  table.add({"mg-wfbp", "8.25", "\xC2\xB1 1"});  // a character of two bytes
  table.add_note("ddp", "FAILED: parameters differ");
  EXPECT_EQ(table.text(),
            "strategy   time  note\n"
            "             ms\n"
            "----------------------\n"
            "wfbp      12.50  first\n"
            "mg-wfbp    8.25  \xC2\xB1 1\n"
            "ddp       FAILED: parameters differ\n");
  EXPECT_EQ(table.width(), 22U);
  EXPECT_THROW(table.add({"one cell"}), Error);
}

TEST(Table, HasNoLineOfUnitsWithoutUnits) {
  Table table({{"a", ""}, {"b", ""}});
  table.add({"1", "2"});
  EXPECT_EQ(table.text(), "a  b\n----\n1  2\n");
}

TEST(Table, WrapsNotesUnderTheSecondColumn) {
  Table table({{"name", "", Table::Align::left}, {"value", ""}});
  table.add_note("x", "one two three four");
  EXPECT_EQ(table.text(16), "name  value\n-----------\nx     one two\n      three four\n");
}

TEST(Table, HoldsNothingThatATerminalObeys) {
  Table table({{"name", "", Table::Align::left}, {"value", ""}});
  table.add({"a\n\033[2J", "1"});
  table.add_note("b\r", "c\td");
  EXPECT_EQ(table.text(), "name    value\n-------------\na  [2J      1\nb       c d\n");
  EXPECT_EQ(wrap("a\nb \033[31m", 80), "a b  [31m\n");
}

TEST(Table, AsMarkdown) {
  Table table({{"strategy", "", Table::Align::left}, {"time", "ms"}, {"", ""}});
  table.add({"a|b\nc", "12.50", ""});
  table.add_note("ddp", "FAILED: x");
  EXPECT_EQ(table.markdown(),
            "| strategy | time ms |  |\n"
            "| --- | ---: | ---: |\n"
            "| a\\|b c | 12.50 |  |\n"
            "| ddp | FAILED: x |\n");
}

TEST(Wrap, BreaksAtSpacesOnly) {
  EXPECT_EQ(wrap("one two three", 80), "one two three\n");
  EXPECT_EQ(wrap("one two three", 7, 2), "one two\n  three\n");
  EXPECT_EQ(wrap("unbreakable word", 4), "unbreakable\nword\n");
  EXPECT_EQ(wrap("a unbreakable b", 4, 2), "a\n  unbreakable\n  b\n");
  EXPECT_EQ(wrap("", 10), "\n");
}

TEST(TimeScale, GivesFourDigitsInOneUnit) {
  EXPECT_EQ(TimeScale(0.1812)(0.1812), "181.2");
  EXPECT_EQ(TimeScale(0.1812)(0.0005), "0.5");
  EXPECT_EQ(TimeScale(0.1812)(-1e-6), "0.0");
  EXPECT_EQ(TimeScale(0.1812)(-0.0021), "-2.1");
  EXPECT_EQ(TimeScale(0.1812).unit(), "ms");
  EXPECT_EQ(TimeScale(1.25)(1.25), "1250");
  EXPECT_EQ(TimeScale(12.5)(12.5), "12.50");
  EXPECT_EQ(TimeScale(12.5).unit(), "s");
  EXPECT_EQ(TimeScale(182e-6)(182e-6), "182.0");
  EXPECT_EQ(TimeScale(182e-6).unit(), "us");
  EXPECT_EQ(TimeScale(0)(0), "0");
}

}  // namespace
}  // namespace mgbench
