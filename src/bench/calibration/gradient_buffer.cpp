#include "bench/calibration/gradient_buffer.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "bench/communicators/half_precision.h"
#include "bench/gpu/left_behind.h"

namespace mgbench {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // elements

std::shared_ptr<void> host_memory(Bytes bytes) {
  const auto memory = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(bytes));
  return {memory, memory->data()};
}

}  // namespace

GradientBuffer::GradientBuffer(const GradientArena& arena)
    : arena_(arena),
      count_(static_cast<std::size_t>(arena.bytes / size_of(arena.type))),
      exceptions_(std::uncaught_exceptions()) {
  const auto piece = static_cast<Bytes>(std::min(count_, kPiece)) * size_of(arena.type);
  if (arena.device == nullptr) {
    memory_ = host_memory(arena.bytes);
    piece_ = host_memory(piece);
    return;
  }
  memory_ = arena.device->allocate(arena.bytes);
  piece_ = arena.device->allocate_host(piece);
  stream_.emplace(*arena.device, false);
  const std::vector<float> zeros(std::min(count_, kPiece));
  for (std::size_t begin = 0; begin < count_; begin += kPiece)
    write(begin, std::span(zeros).first(std::min(kPiece, count_ - begin)));
}

GradientBuffer::~GradientBuffer() {
  if (std::uncaught_exceptions() > exceptions_) leave_behind(std::move(memory_));
}

GradientView GradientBuffer::part(std::size_t begin, std::size_t count) const {
  return {.data = address(begin), .count = count, .type = arena_.type, .space = arena_.space()};
}

void GradientBuffer::write(std::size_t begin, std::span<const float> values) {
  for (std::size_t done = 0; done < values.size(); done += kPiece) {
    const auto part = values.subspan(done, std::min(kPiece, values.size() - done));
    if (arena_.type == ElementType::float32)
      std::memcpy(piece_.get(), part.data(), part.size_bytes());
    else
      narrow(arena_.type, part.data(), part.size(), piece_.get());
    copy(address(begin + done), piece_.get(), static_cast<Bytes>(part.size()) * size_of(arena_.type));
  }
}

std::vector<float> GradientBuffer::read(std::size_t begin, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t done = 0; done < count; done += kPiece) {
    const auto part = std::span(values).subspan(done, std::min(kPiece, count - done));
    copy(piece_.get(), address(begin + done), static_cast<Bytes>(part.size()) * size_of(arena_.type));
    if (arena_.type == ElementType::float32)
      std::memcpy(part.data(), piece_.get(), part.size_bytes());
    else
      widen(arena_.type, piece_.get(), part.size(), part.data());
  }
  return values;
}

std::byte* GradientBuffer::address(std::size_t element) const {
  return static_cast<std::byte*>(memory_.get()) + element * static_cast<std::size_t>(size_of(arena_.type));
}

void GradientBuffer::copy(void* to, const void* from, Bytes bytes) {
  if (arena_.device == nullptr) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  arena_.device->copy(*stream_, to, from, bytes);
  arena_.device->synchronize(arena_.device->record(*stream_));
}

}  // namespace mgbench
