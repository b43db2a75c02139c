#include "base/printable.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(Printable, HasSpacesForWhatATerminalObeys) {
  EXPECT_EQ(printable("a\nb\x1b[31mc\x7f"), "a b [31mc ");
  EXPECT_EQ(printable("\xC3\xA9\x7f\a"), "\xC3\xA9  ");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31mb"),
            "a 31mb")
      << "U+009B begins a sequence as ESC [ does";
}

TEST(Printable, KeepsOtherText) {
  for (const char* text : {"", "plain", "\xC2\xA0", "10 \xC2\xB5s", "\xF0\x9F\x90\xA2", "\xFF", "\xC2"})
    EXPECT_EQ(printable(text), text);
}

TEST(Excerpt, IsTheTextOrItsBegin) {
  EXPECT_EQ(excerpt("abc", 6), "abc");
  EXPECT_EQ(excerpt("abcdef", 6), "abcdef");
  EXPECT_EQ(excerpt("abcdefg", 6), "abc...");
}

TEST(Excerpt, KeepsCharactersWhole) {
  EXPECT_EQ(excerpt("ab\xC2\xB5wxyz", 6), "ab...");
  EXPECT_EQ(excerpt("a\xC2\xB5wxyz", 6), "a\xC2\xB5...");
  EXPECT_EQ(excerpt(std::string(100, '\x80'), 6), "...");
}

}  // namespace
}  // namespace mgbench
