#include "bench/gpu/own_stream.h"

namespace mgbench {

OwnStream::OwnStream(Device& device, bool urgent) : device_(device), urgent_(urgent) {
  const std::scoped_lock lock(device.idle_mutex_);
  std::vector<Stream>& idle = device.idle_streams_.at(urgent ? 1 : 0);
  if (idle.empty()) {
    stream_ = device.make_stream(urgent);
    return;
  }
  stream_ = idle.back();
  idle.pop_back();
}

OwnStream::~OwnStream() {
  const std::scoped_lock lock(device_.idle_mutex_);
  device_.idle_streams_.at(urgent_ ? 1 : 0).push_back(stream_);
}

}  // namespace mgbench
