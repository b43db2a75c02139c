#pragma once

#include <utility>
#include <vector>

#include "bench/network.h"

namespace mgbench {

/// What fake networks have in common: a profile and an arena, but neither parameters nor values.
class FakeNetwork : public Network {
 public:
  explicit FakeNetwork(Profile profile)
      : profile_(std::move(profile)), arena_(static_cast<std::size_t>(profile_.bytes()) / sizeof(float)) {}

  GradientView gradients(ByteRange range) override {
    return {.data = arena_.data() + static_cast<std::size_t>(range.begin) / sizeof(float),
            .count = static_cast<std::size_t>(range.size()) / sizeof(float)};
  }
  const Profile& outline() const override { return profile_; }
  double loss() const override { return 0; }
  NetworkState save() const override { return {}; }
  void restore(const NetworkState&) override {}
  std::vector<float> plain_parameters() const override { return {}; }
  void set_plain_parameters(std::span<const float>) override {}
  std::vector<float> plain_gradients() const override { return arena_; }

 protected:
  const Profile::Step& step(std::size_t index) const { return profile_.steps[index]; }
  Seconds update_time() const { return profile_.update; }

 private:
  Profile profile_;
  std::vector<float> arena_;
};

}  // namespace mgbench
