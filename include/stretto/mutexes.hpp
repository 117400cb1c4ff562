// SPDX-License-Identifier: BSD-3-Clause
// Mutexes that belong to ranks and are held by ranks, first come first served. Who waits, waits at a place of
// its own memory: neither the owner nor the network is asked again and again.
#pragma once

#include <cstddef>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto {

class Mutexes {
 public:
  /// `count` mutexes that belong to this rank; each rank may give another number. Collective over the
  /// runtime.
  Mutexes(Runtime& runtime, std::size_t count);

  /// Returns when this rank holds the mutex. Throws ArgumentError for one that does not exist or that this
  /// rank already holds. What was put under the mutex by who held it before can be seen.
  void lock(int owner, std::size_t index);
  /// Everything that was started before is done everywhere, then the next one gets it.
  void unlock(int owner, std::size_t index);

  /// Collective; no mutex may be held.
  void free();

 private:
  [[nodiscard]] std::size_t number(int owner, std::size_t index) const;

  Runtime& runtime_;
  std::vector<std::size_t> first_;  // number of the first mutex of each rank, and of all at the end
  Region queues_;           // tails of own mutexes; then, for all mutexes, this rank's place in the queue
  std::vector<char> held_;  // whether this rank has it; one byte each, for threads that hold different ones
};

}  // namespace stretto
