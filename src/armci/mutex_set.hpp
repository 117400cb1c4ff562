// SPDX-License-Identifier: BSD-3-Clause
// ARMCI's mutexes: those of the runtime, which processes hold, and the threads of a process that hold them.
#pragma once

#include <cstddef>
#include <stretto/mutexes.hpp>
#include <stretto/runtime.hpp>

#include "armci/mutex_holders.hpp"

namespace stretto::armci {

class MutexSet {
 public:
  /// Collective; `count` may differ.
  MutexSet(Runtime& runtime, std::size_t count) : runtime_(runtime), mutexes_(runtime, count) {}

  /// Throws Refused when the calling thread has it, and what Mutexes::lock throws.
  void lock(int owner, int mutex);
  /// Throws Refused when no thread of this process holds it, and what Mutexes::unlock throws.
  void unlock(int owner, int mutex);
  /// Collective.
  void free() { mutexes_.free(); }

 private:
  /// Throws Refused or ArgumentError where the owner has no such mutex.
  [[nodiscard]] std::size_t index_of(int owner, int mutex) const;

  Runtime& runtime_;
  Mutexes mutexes_;
  MutexHolders holders_;
};

}  // namespace stretto::armci
