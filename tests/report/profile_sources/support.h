#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/profile_reader.h"

namespace mgbench {

/// A text, and the whole message with which it is refused.
struct ProfileRefusal {
  std::string name;
  std::string text;
  std::string message;
};

inline void PrintTo(const ProfileRefusal& refusal, std::ostream* stream) {
  *stream << refusal.name;
}

inline void expect_refused(const ProfileRefusal& refusal) {
  try {
    read_profile_text(refusal.text, "x");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    EXPECT_STREQ(error.what(), refusal.message.c_str());
  }
}

/// One gradient as the planner sees it.
struct Expected {
  std::string name;
  Bytes bytes = 0;
  Seconds ready = 0;  ///< forward included
};

inline void expect_gradients(const Profile& profile, const std::vector<Expected>& expected) {
  const std::vector<ReadyTensor> ready = ready_tensors(profile);
  ASSERT_EQ(ready.size(), expected.size());
  std::vector<std::string> names;
  for (auto step = profile.steps.rbegin(); step != profile.steps.rend(); ++step)
    for (const Tensor& tensor : step->tensors) names.push_back(tensor.name);
  for (std::size_t i = 0; i < ready.size(); ++i) {
    EXPECT_EQ(names[i], expected[i].name);
    EXPECT_EQ(ready[i].bytes, expected[i].bytes) << names[i];
    EXPECT_NEAR(ready[i].ready, expected[i].ready, 1e-9) << names[i];
  }
}

}  // namespace mgbench
