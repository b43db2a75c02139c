#include "bench/watch/heartbeat.h"

#include <algorithm>
#include <utility>

namespace mgbench {
namespace {

constexpr std::uint64_t kMagic = 0x3174616562676d;  // "mgbeat1"
constexpr double kMicroseconds = 1e6;
constexpr Seconds kLongest = 1e9;

class Writer {
 public:
  void number(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) bytes_[next_++] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  void text(const std::string& value) {
    const std::size_t size = std::min(value.size(), kDatagramBytes - next_ - 1);
    number(size, 1);
    for (std::size_t i = 0; i < size; ++i) bytes_[next_++] = static_cast<std::uint8_t>(value[i]);
  }
  const DatagramBytes& bytes() const { return bytes_; }

 private:
  DatagramBytes bytes_{};
  std::size_t next_ = 0;
};

/// Of kDatagramBytes bytes.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{bytes_[next_++]} << (8 * i);
    return value;
  }
  /// Nothing where it would go beyond the end.
  std::optional<std::string> text() {
    const std::size_t size = number(1);
    if (size > bytes_.size() - next_) return std::nullopt;
    std::string value;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint8_t letter = bytes_[next_++];
      value += letter >= ' ' && letter <= '~' ? static_cast<char>(letter) : '?';
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

}  // namespace

DatagramBytes encode(const Datagram& datagram, std::uint64_t key) {
  const Heartbeat& beat = datagram.beat;
  Writer writer;
  writer.number(kMagic, 8);
  writer.number(key, 8);
  writer.number(static_cast<std::uint64_t>(datagram.kind), 1);
  writer.number(datagram.route, 1);
  writer.number(beat.waiting ? 1 : 0, 1);
  writer.number(static_cast<std::uint64_t>(beat.rank), 4);
  writer.number(beat.sequence, 4);
  writer.number(beat.position, 8);
  writer.number(beat.pulse, 8);
  writer.number(static_cast<std::uint64_t>(std::clamp(beat.expected, 0.0, kLongest) * kMicroseconds), 8);
  writer.text(beat.doing);
  return writer.bytes();
}

std::optional<Datagram> decode(std::span<const std::uint8_t> bytes, std::uint64_t key, int ranks) {
  if (bytes.size() != kDatagramBytes) return std::nullopt;
  Reader reader(bytes);
  if (reader.number(8) != kMagic || reader.number(8) != key) return std::nullopt;
  const std::uint64_t kind = reader.number(1);
  if (kind < 1 || kind > 3) return std::nullopt;
  Datagram datagram{
      .kind = static_cast<Datagram::Kind>(kind), .route = static_cast<std::uint8_t>(reader.number(1)), .beat = {}};
  Heartbeat& beat = datagram.beat;
  beat.waiting = reader.number(1) != 0;
  const std::uint64_t rank = reader.number(4);
  if (rank >= static_cast<std::uint64_t>(ranks)) return std::nullopt;
  beat.rank = static_cast<int>(rank);
  beat.sequence = static_cast<std::uint32_t>(reader.number(4));
  beat.position = reader.number(8);
  beat.pulse = reader.number(8);
  beat.expected = std::min(static_cast<double>(reader.number(8)) / kMicroseconds, kLongest);
  std::optional<std::string> doing = reader.text();
  if (!doing) return std::nullopt;
  beat.doing = std::move(*doing);
  return datagram;
}

}  // namespace mgbench
