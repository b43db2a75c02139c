#include "report/markdown.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(Markdown, TextStaysText) {
  EXPECT_EQ(markdown_text("plain 1.05"), "plain 1.05");
  EXPECT_EQ(markdown_text("a|b"), "a\\|b");
  EXPECT_EQ(markdown_text("a\r\nb\tc"), "a  b c");
  EXPECT_EQ(markdown_text("<img src=x>"), "\\<img src=x\\>");
  EXPECT_EQ(markdown_text("[x](http://y) *z* `c` @team #1 ~~d~~ a_b \\|"),
            "\\[x\\](http://y) \\*z\\* \\`c\\` \\@team \\#1 \\~\\~d\\~\\~ a\\_b \\\\\\|");
  EXPECT_EQ(markdown_text(std::string("\0x", 2)), " x");
}

TEST(Markdown, TablesHaveARuleAndALineForEachRow) {
  EXPECT_EQ(markdown_table({"metric", "ratio"}, {{"a|b", "1.05"}, {"c", "-"}}),
            "| metric | ratio |\n|:--|--:|\n| a\\|b | 1.05 |\n| c | - |\n");
}

}  // namespace
}  // namespace mgbench
