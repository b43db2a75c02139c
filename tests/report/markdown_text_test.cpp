#include "report/markdown_text.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(MarkdownText, StaysText) {
  EXPECT_EQ(markdown_text("mg-wfbp 1.5 %"), "mg-wfbp 1.5 %");
  EXPECT_EQ(markdown_text("a|b"), "a\\|b");
  EXPECT_EQ(markdown_text("a\r\nb\tc"), "a  b c");
  EXPECT_EQ(markdown_text("<img src=x> &amp;"), "\\<img src=x\\> \\&amp;");
  EXPECT_EQ(markdown_text("[x](http://y) *z* `c` @team #1 ~~d~~ a_b \\|"),
            "\\[x\\](http://y) \\*z\\* \\`c\\` \\@team \\#1 \\~\\~d\\~\\~ a\\_b \\\\\\|");
  EXPECT_EQ(markdown_text(std::string("\0x", 2)), " x");
  EXPECT_EQ(markdown_text("\xc3\xa9 \xf0\x9f\x98\x80"), "\xc3\xa9 \xf0\x9f\x98\x80");
}

TEST(MarkdownCode, EndsBehindItsText) {
  EXPECT_EQ(markdown_code("ls"), "```\nls\n```\n");
  EXPECT_EQ(markdown_code("a ``` b ```` c"), "`````\na ``` b ```` c\n`````\n");
}

}  // namespace
}  // namespace mgbench
