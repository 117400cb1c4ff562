// SPDX-License-Identifier: BSD-3-Clause
// Mutexes between ranks: queue locks (Mellor-Crummey and Scott, 1991), first come first served. A rank that
// waits polls its own memory, and sends no messages to the owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto {

/// The mutexes of all ranks of a runtime. A mutex is named by its owner, and its index among the owner's.
class Mutexes {
 public:
  /// Creates `count` mutexes that this rank owns; the counts of the ranks may differ. Collective over the
  /// runtime.
  Mutexes(Runtime& runtime, std::size_t count);

  /// Returns when this rank holds the mutex. What earlier holders have put while they held it is visible.
  /// Throws ArgumentError for a mutex that does not exist, that this rank already holds, or that it is
  /// still unlocking. After another exception, such as TimeoutError, this rank keeps its place in the queue:
  /// no rank behind it gets the mutex. The next call continues.
  void lock(int owner, std::size_t index);
  /// Fences all targets, and passes the mutex to the next rank. Throws ArgumentError unless this rank holds
  /// it. After another exception, the next call continues.
  void unlock(int owner, std::size_t index);
  /// Throws ArgumentError where there is no such mutex.
  void check(int owner, std::size_t index) const { (void)number(owner, index); }

  /// Collective; no mutex may be held, and no lock or unlock may be unfinished.
  void free();

 private:
  /// How far a lock or unlock has come. An exception leaves it where it is, and the next call continues
  /// there.
  enum class Step : std::uint8_t { none, entering, linking, queued, held, leaving, followed, passing };
  struct Entry {
    Step step = Step::none;
    std::uint64_t answer = 0;  // the value before the update of `handle`
    Handle handle;
  };

  /// Takes this rank's place in the queue, and waits until it has the mutex.
  void acquire(Entry& entry, int owner, std::size_t mutex);
  void release(Entry& entry, int owner, std::size_t mutex);
  /// The number of a mutex among all ranks' mutexes. Throws ArgumentError where there is no such mutex.
  [[nodiscard]] std::size_t number(int owner, std::size_t index) const;

  Runtime& runtime_;
  std::vector<std::size_t> first_;  // number of the first mutex of each rank; at the end the count of all
  Region queues_;                   // a row per mutex: queue tail, this rank's successor, whether it holds it
  std::vector<Entry> entries_;  // of this rank, by the number of the mutex; threads may use different ones
};

}  // namespace stretto
