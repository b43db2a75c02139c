#pragma once

namespace stand_in {

/// The one lock of all libraries, held by a call into any of them. Not recursive: the libraries do not call their own
/// interfaces.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

/// Gives the lock up while it lives.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
};

}  // namespace stand_in
