#include <algorithm>
#include <cstring>
#include <vector>

#include "core/element.h"
#include "nccl/communicator.h"

namespace stand_in {

namespace {

/// Calls with a null pointer of the C++ type of elements.
template <class Visit>
void with_type(ncclDataType_t type, Visit visit) {
  if (type == ncclFloat16) return visit(static_cast<Half*>(nullptr));
  if (type == ncclBfloat16) return visit(static_cast<BFloat16*>(nullptr));
  if (type == ncclInt32) return visit(static_cast<std::int32_t*>(nullptr));
  visit(static_cast<float*>(nullptr));
}

template <class T>
T sum(T left, T right) {
  if constexpr (std::is_class_v<T>) {
    return T::from(static_cast<float>(left) + static_cast<float>(right));
  } else {
    return left + right;
  }
}

/// One allreduce under way. Every rank adds in the order of ranks, rounding to the type each time, so that all get the
/// same.
class Exchange {
 public:
  Exchange(std::shared_ptr<Communicator> communicator, const Allreduce& message)
      : communicator_(std::move(communicator)),
        message_(message),
        bytes_(message.count * bytes_of(message.type)),
        number_(++communicator_->issued),
        result_(bytes_) {}

  /// Goes on as far as the other ranks allow, and says whether all pieces are summed.
  bool advance() {
    Communicator& communicator = *communicator_;
    if (communicator.aborted) return true;
    if (!communicator.rendezvous.all_arrived() || communicator.finished + 1 != number_) return false;
    while (done_ < bytes_) {
      if (!published_ && !publish()) return watch();
      if (!communicator.rendezvous.all_published(communicator.round)) return watch();
      add();
    }
    return true;
  }

  void finish() {
    if (communicator_->aborted) return;
    std::memcpy(message_.to, result_.data(), bytes_);
    ++communicator_->finished;
  }

 private:
  std::size_t piece() const { return std::min(Rendezvous::kSlotBytes, bytes_ - done_); }

  /// False while a rank still reads the piece before.
  bool publish() {
    Rendezvous& rendezvous = communicator_->rendezvous;
    if (!rendezvous.all_consumed(communicator_->round - 1)) return false;
    std::memcpy(rendezvous.slot(communicator_->rank), static_cast<const std::byte*>(message_.from) + done_, piece());
    Rendezvous::Rank& own = rendezvous.rank(communicator_->rank);
    own.count = message_.count;
    own.type = message_.type;
    own.published = communicator_->round;
    return published_ = true;
  }

  void add() {
    Rendezvous& rendezvous = communicator_->rendezvous;
    for (int other = 0; other < rendezvous.size(); ++other) {
      const Rendezvous::Rank& rank = rendezvous.rank(other);
      if (rank.count != message_.count || rank.type != message_.type) {
        fail(*communicator_, ncclInvalidUsage,
             "rank " + std::to_string(other) + " sums " + std::to_string(rank.count) + " elements of type " +
                 std::to_string(rank.type) + " where rank " + std::to_string(communicator_->rank) + " sums " +
                 std::to_string(message_.count) + " of type " + std::to_string(message_.type));
      }
      add(rendezvous.slot(other), other == 0);
    }
    rendezvous.rank(communicator_->rank).consumed = communicator_->round++;
    done_ += piece();
    published_ = false;
  }

  void add(const std::byte* slot, bool first) {
    std::byte* to = result_.data() + done_;
    if (first) {
      std::memcpy(to, slot, piece());
      return;
    }
    with_type(message_.type, [&]<class T>(T*) {
      T* sums = reinterpret_cast<T*>(to);
      const T* values = reinterpret_cast<const T*>(slot);
      for (std::size_t i = 0; i < piece() / sizeof(T); ++i) sums[i] = sum(sums[i], values[i]);
    });
  }

  /// A rank that is lost is an asynchronous error; its peers wait until they abort, as on a device. Always false.
  bool watch() {
    if (communicator_->error == ncclSuccess && ++watched_ % 64 == 0) {
      if (const int process = communicator_->rendezvous.lost_process()) {
        fail(*communicator_, ncclRemoteError, "process " + std::to_string(process) + " of the communicator is gone");
      }
    }
    return false;
  }

  std::shared_ptr<Communicator> communicator_;
  Allreduce message_;
  std::size_t bytes_;
  std::uint64_t number_;
  std::vector<std::byte> result_;
  std::size_t done_ = 0;
  bool published_ = false;
  unsigned watched_ = 0;
};

}  // namespace

bool sums(ncclDataType_t type) {
  return type == ncclFloat32 || type == ncclFloat16 || type == ncclBfloat16 || type == ncclInt32;
}

std::size_t bytes_of(ncclDataType_t type) {
  return type == ncclFloat16 || type == ncclBfloat16 ? 2 : 4;
}

Operation allreduce(std::shared_ptr<Communicator> communicator, const Allreduce& message, Stream& stream) {
  const auto exchange = std::make_shared<Exchange>(std::move(communicator), message);
  return {[exchange] { exchange->finish(); }, [exchange, &stream] { return exchange->advance() ? nullptr : &stream; },
          false, true};
}

}  // namespace stand_in
