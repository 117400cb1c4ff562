// SPDX-License-Identifier: BSD-3-Clause
// Mutexes that are owned and held by ranks, first come first served. A rank that waits polls its own memory,
// not the owner's and not the network.
#pragma once

#include <cstddef>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto {

class Mutexes {
 public:
  /// `count` mutexes of this rank; the counts of the ranks may differ. Collective over the runtime.
  Mutexes(Runtime& runtime, std::size_t count);

  /// Returns when this rank holds the mutex; what earlier holders have put under it is visible. Throws
  /// ArgumentError for a mutex that does not exist or that this rank already holds.
  void lock(int owner, std::size_t index);
  /// Fences all targets, and passes the mutex to the next rank. Throws ArgumentError unless this rank holds
  /// it.
  void unlock(int owner, std::size_t index);

  /// Collective; no mutex may be held.
  void free();

 private:
  [[nodiscard]] std::size_t number(int owner, std::size_t index) const;

  Runtime& runtime_;
  std::vector<std::size_t> first_;  // number of the first mutex of each rank; at the end the count of all
  Region queues_;                   // tails of this rank's mutexes; then its place in each queue
  std::vector<char> held_;          // by this rank; a byte each, because threads may hold different ones
};

}  // namespace stretto
