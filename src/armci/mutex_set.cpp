// SPDX-License-Identifier: BSD-3-Clause
#include "armci/mutex_set.hpp"

#include "armci/boundary.hpp"

namespace stretto::armci {

void MutexSet::lock(int owner, std::size_t index) {
  const Key key{owner, index};
  {
    std::unique_lock lock(mutex_);
    const auto holder = inside_.find(key);
    if (holder != inside_.end() && holder->second == std::this_thread::get_id()) {
      throw Refused(FAIL6, "mutex: the caller holds it already");
    }
    left_.wait(lock, [&] { return !inside_.contains(key); });
    inside_.emplace(key, std::this_thread::get_id());
  }
  try {
    mutexes_.lock(owner, index);
  } catch (...) {
    leave(key);
    throw;
  }
}

void MutexSet::unlock(int owner, std::size_t index) {
  mutexes_.unlock(owner, index);
  leave({owner, index});
}

void MutexSet::leave(const Key& key) {
  const std::lock_guard lock(mutex_);
  inside_.erase(key);
  left_.notify_all();
}

}  // namespace stretto::armci
