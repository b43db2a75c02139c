#include "base/error.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

std::string message_of(const std::string& text) {
  return Error(ExitCode::bad_input, text).what();
}

TEST(Error, IsOneLineWithoutControlCharacters) {
  EXPECT_EQ(message_of("file:1: 'a\nb\x1b[2J' is no name"), "file:1: 'a b [2J' is no name");
}

TEST(Error, IsOfBoundedLength) {
  EXPECT_EQ(message_of(std::string(2000, 'x')), std::string(2000, 'x'));
  EXPECT_EQ(message_of(std::string(1'000'000, 'x')), std::string(1997, 'x') + "...");
}

}  // namespace
}  // namespace mgbench
