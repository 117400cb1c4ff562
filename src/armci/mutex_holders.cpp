// SPDX-License-Identifier: BSD-3-Clause
#include "armci/mutex_holders.hpp"

#include "armci/boundary.hpp"
#include "onesided/api/services.hpp"

namespace stretto::armci {

void MutexHolders::enter(const Runtime& runtime, const Key& key) {
  if (try_enter(key)) return;
  onesided::wait_until(
      runtime, [&] { return try_enter(key); }, "a mutex of another thread", runtime.rank());
}

bool MutexHolders::try_enter(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto [holder, entered] = holders_.try_emplace(key, Holder{.thread = std::this_thread::get_id()});
  if (!entered && holder->second.thread == std::this_thread::get_id())
    throw Refused(FAIL6, "mutex: the caller holds it already");
  return entered;
}

void MutexHolders::hold(const Key& key) {
  const std::lock_guard lock(mutex_);
  holders_.at(key).holds = true;
}

void MutexHolders::begin_unlock(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto holder = holders_.find(key);
  if (holder == holders_.end() || !holder->second.holds)
    throw Refused(FAIL6, "mutex: no thread of this process holds it");
  holder->second.holds = false;
}

void MutexHolders::leave(const Key& key) {
  const std::lock_guard lock(mutex_);
  holders_.erase(key);
}

}  // namespace stretto::armci
