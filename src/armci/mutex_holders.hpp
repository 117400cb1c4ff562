// SPDX-License-Identifier: BSD-3-Clause
// Which mutexes the threads of this process hold. A mutex between processes knows only the process, so that
// threads of one process wait here for each other first.
#pragma once

#include <map>
#include <mutex>
#include <stretto/runtime.hpp>
#include <thread>
#include <utility>

namespace stretto::armci {

class MutexHolders {
 public:
  /// Process that owns the mutex, and its number there.
  using Key = std::pair<int, int>;

  /// Returns when no other thread has the mutex, and serves other processes until then. The caller must get
  /// it from the other processes, and then call hold() or leave(). Throws Refused when the caller has it, and
  /// what a wait throws.
  void enter(const Runtime& runtime, const Key& key);
  /// The same without a wait: returns false when another thread has it.
  [[nodiscard]] bool try_enter(const Key& key);
  /// The process has got the mutex.
  void hold(const Key& key);
  /// The process is about to give the mutex back, by any of its threads: throws Refused unless one holds it.
  void begin_unlock(const Key& key);
  /// The process does not have the mutex any more.
  void leave(const Key& key);

 private:
  struct Holder {
    std::thread::id thread;
    bool holds = false;  // else it is getting the mutex, or giving it back
  };

  std::mutex mutex_;
  std::map<Key, Holder> holders_;
};

}  // namespace stretto::armci
