#include "planner/shared_link.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace mgbench {
namespace {

struct Channel {
  std::vector<std::size_t> messages;
  std::size_t next = 0;  ///< into `messages`: in flight or waiting
  bool in_flight = false;
  Seconds startup = 0;   ///< left
  Seconds transfer = 0;  ///< left
};

}  // namespace

std::vector<MessageTimes> share_link(const std::vector<SharedMessage>& messages, double sharing) {
  std::vector<MessageTimes> times(messages.size());
  std::map<int, Channel> channels;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    channels[messages[i].channel].messages.push_back(i);
    times[i].ready = messages[i].ready;
  }

  constexpr Seconds kNever = std::numeric_limits<Seconds>::infinity();
  for (Seconds now = 0;;) {
    int transferring = 0;
    for (auto& [name, channel] : channels) {
      if (!channel.in_flight && channel.next < channel.messages.size() &&
          messages[channel.messages[channel.next]].ready <= now) {
        const std::size_t message = channel.messages[channel.next];
        channel.in_flight = true;
        channel.startup = messages[message].startup;
        channel.transfer = messages[message].transfer;
        times[message].start = now;
      }
      transferring += channel.in_flight && channel.startup <= 0 ? 1 : 0;
    }
    // To the next event at the rates that hold until then.
    const double slower = std::pow(sharing, std::max(0, transferring - 1));
    Seconds step = kNever;
    Seconds next_ready = kNever;
    for (const auto& [name, channel] : channels) {
      if (channel.in_flight)
        step = std::min(step, channel.startup > 0 ? channel.startup : channel.transfer * slower);
      else if (channel.next < channel.messages.size())
        next_ready = std::min(next_ready, messages[channel.messages[channel.next]].ready);
    }
    const bool waits = next_ready - now < step;
    if (waits) step = next_ready - now;
    if (step == kNever) return times;
    for (auto& [name, channel] : channels) {
      if (!channel.in_flight) continue;
      // What ends now ends exactly: a rounding's rest must not cost another event.
      if (channel.startup > 0) {
        channel.startup = channel.startup <= step ? 0 : channel.startup - step;
        if (channel.startup > 0 || channel.transfer > 0) continue;
      } else {
        channel.transfer = channel.transfer * slower <= step ? 0 : channel.transfer - step / slower;
        if (channel.transfer > 0) continue;
      }
      times[channel.messages[channel.next]].end = now + step;
      channel.in_flight = false;
      ++channel.next;
    }
    now = waits ? next_ready : now + step;
  }
}

}  // namespace mgbench
