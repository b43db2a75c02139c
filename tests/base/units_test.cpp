#include "base/units.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace mgbench {
namespace {

TEST(Units, ParsesBinaryAndDecimalSizes) {
  EXPECT_EQ(parse_bytes("64", "size"), 64);
  EXPECT_EQ(parse_bytes("64B", "size"), 64);
  EXPECT_EQ(parse_bytes("1.5KiB", "size"), 1536);
  EXPECT_EQ(parse_bytes("25MiB", "size"), 26'214'400);
  EXPECT_EQ(parse_bytes("25MB", "size"), 25'000'000);
  EXPECT_EQ(parse_bytes("1GiB", "size"), 1'073'741'824);
}

TEST(Units, RefusesWhatIsNoSize) {
  for (const char* text : {"", "MiB", "-1", "nan", "inf", "1e300GiB", "5 MiB", "5MIB", "0x10"})
    EXPECT_THROW(parse_bytes(text, "size"), Error) << text;
}

TEST(Units, NamesTheNearestUnit) {
  try {
    parse_bytes("25Mib", "--ddp-bucket");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("--ddp-bucket: unknown unit 'Mib' in '25Mib'; did you mean 'MiB'?"), std::string::npos)
        << message;
  }
}

TEST(Units, FormatsForPeople) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(26'214'400), "25.0 MiB");
  EXPECT_EQ(format_seconds(1.83e-4), "183 us");
  EXPECT_EQ(format_seconds(0.01244), "12.4 ms");
  EXPECT_EQ(format_seconds(1.31), "1.31 s");
}

}  // namespace
}  // namespace mgbench
