#include "base/names.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(Suggestion, NamesTheNearestChoice) {
  EXPECT_EQ(suggestion("mg_wfbp", {"wfbp", "synceasgd", "mg-wfbp"}),
            "; did you mean 'mg-wfbp'? choices: wfbp, synceasgd, mg-wfbp");
}

TEST(Suggestion, SeesSwappedLetters) {
  EXPECT_EQ(suggestion("rnu", {"list", "run"}), "; did you mean 'run'? choices: list, run");
}

TEST(Suggestion, IgnoresLetterCase) {
  EXPECT_EQ(suggestion("TINY", {"tiny"}), "; did you mean 'tiny'? choices: tiny");
}

TEST(Suggestion, DoesNotGuessWhenNothingIsNear) {
  EXPECT_EQ(suggestion("vgg", {"alexnet", "tiny"}), "; choices: alexnet, tiny");
}

/// A table of distances to all of it would take gigabytes.
TEST(Suggestion, TakesNamesOfAnyLength) {
  EXPECT_EQ(suggestion(std::string(10'000'000, 'x'), {"alexnet", "tiny"}), "; choices: alexnet, tiny");
}

TEST(Suggestion, IsEmptyWithoutChoices) {
  EXPECT_EQ(suggestion("x", {}), "");
}

}  // namespace
}  // namespace mgbench
