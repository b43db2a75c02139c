#pragma once

#include "bench/gpu/device.h"

namespace mgbench {

/// A stream to oneself. At its end the device keeps it for the next who wants one: streams are few. What is still
/// enqueued on it runs before what comes then.
class OwnStream {
 public:
  OwnStream(Device& device, bool urgent);
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  operator Stream() const { return stream_; }

 private:
  Device& device_;
  bool urgent_;
  Stream stream_;
};

}  // namespace mgbench
