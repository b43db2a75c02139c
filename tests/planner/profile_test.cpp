#include "planner/profile.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace mgbench {
namespace {

Profile two_steps() {
  Profile profile;
  profile.model = "two";
  profile.steps = {{"input", 1, 4, {{"input.weight", 100}}},
                   {"output", 2, 8, {{"output.weight", 10}, {"output.bias", 1}}}};
  profile.update = 0.5;
  return profile;
}

TEST(Profile, SumsItsSteps) {
  const Profile profile = two_steps();
  EXPECT_EQ(profile.forward(), 3);
  EXPECT_EQ(profile.backward(), 12);
  EXPECT_EQ(profile.computation(), 15);
  EXPECT_EQ(profile.bytes(), 111);
}

TEST(Profile, TensorsAreReadyFromTheLastStepToTheFirst) {
  const std::vector<ReadyTensor> tensors = ready_tensors(two_steps());
  ASSERT_EQ(tensors.size(), 3);
  EXPECT_EQ(tensors[0].bytes, 10);
  EXPECT_EQ(tensors[0].ready, 11);
  EXPECT_EQ(tensors[0].step, 1);
  EXPECT_EQ(tensors[1].bytes, 1);
  EXPECT_EQ(tensors[1].ready, 11);
  EXPECT_EQ(tensors[2].bytes, 100);
  EXPECT_EQ(tensors[2].ready, 15);
  EXPECT_EQ(tensors[2].step, 0);
}

TEST(Profile, RejectsWhatIsNoTimeAndNoSize) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, -1e-300, not_a_number, infinite}) {
    Profile profile = two_steps();
    profile.steps[1].forward = wrong;
    EXPECT_THROW(validate(profile), Error) << wrong;
    profile = two_steps();
    profile.steps[0].backward = wrong;
    EXPECT_THROW(validate(profile), Error) << wrong;
    profile = two_steps();
    profile.update = wrong;
    EXPECT_THROW(validate(profile), Error) << wrong;
  }
  for (const Bytes wrong : {Bytes{0}, Bytes{-1}, std::numeric_limits<Bytes>::max()}) {
    Profile profile = two_steps();
    profile.steps[0].tensors[0].bytes = wrong;
    EXPECT_THROW(validate(profile), Error) << wrong;
  }
  EXPECT_NO_THROW(validate(two_steps()));
}

TEST(Profile, RejectsAProfileWithoutTensors) {
  EXPECT_THROW(validate(Profile{}), Error);
  Profile profile = two_steps();
  for (Profile::Step& step : profile.steps) step.tensors.clear();
  EXPECT_THROW(ready_tensors(profile), Error);
}

TEST(Profile, NamesTheStepThatIsWrong) {
  Profile profile = two_steps();
  profile.steps[1].backward = -2;
  try {
    validate(profile);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "profile: step 'output' has backward = -2 s; expected a finite time >= 0");
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
  }
}

}  // namespace
}  // namespace mgbench
