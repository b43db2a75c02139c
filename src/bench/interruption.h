#pragma once

namespace mgbench {

/// While it lives, a first SIGINT or SIGTERM is noted instead of ending the process; a second one ends it.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool requested() const;
};

}  // namespace mgbench
