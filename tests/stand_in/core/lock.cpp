#include "core/lock.h"

#include <mutex>

namespace stand_in {

namespace {

std::mutex& lock() {
  static auto* one = new std::mutex;  // never destroyed: threads of the program may outlive static objects
  return *one;
}

}  // namespace

Locked::Locked() {
  lock().lock();
}
Locked::~Locked() {
  lock().unlock();
}
Unlocked::Unlocked() {
  lock().unlock();
}
Unlocked::~Unlocked() {
  lock().lock();
}

}  // namespace stand_in
