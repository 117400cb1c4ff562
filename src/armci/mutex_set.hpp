// SPDX-License-Identifier: BSD-3-Clause
// ARMCI's mutexes: those of the runtime, which ranks hold, and a local lock for the threads of a rank.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <stretto/mutexes.hpp>
#include <stretto/runtime.hpp>
#include <thread>
#include <utility>

namespace stretto::armci {

class MutexSet {
 public:
  /// Collective; `count` may differ.
  MutexSet(Runtime& runtime, std::size_t count) : mutexes_(runtime, count) {}

  /// Throws Refused when the calling thread has it, and what Mutexes::lock throws.
  void lock(int owner, std::size_t index);
  void unlock(int owner, std::size_t index);
  /// Collective.
  void free() { mutexes_.free(); }

 private:
  using Key = std::pair<int, std::size_t>;
  void leave(const Key& key);

  Mutexes mutexes_;
  std::mutex mutex_;
  std::condition_variable left_;
  std::map<Key, std::thread::id> inside_;  // the thread that holds a mutex or waits for it in the runtime
};

}  // namespace stretto::armci
