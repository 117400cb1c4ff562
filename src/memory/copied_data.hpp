// SPDX-License-Identifier: BSD-3-Clause
// When the data of a message was computed: a send buffer is often a copy (pack), so its last stores say when
// it was copied. Each granule has the address that its value was loaded from. This file follows these
// addresses backwards through at most `max_copies` copies, where source and copy still hold the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory/computation.hpp"
#include "memory/watch.hpp"

namespace stretto::memory {

/// In ticks. `last` is the last store to a part, or to what was copied there; `earliest` the earliest of the
/// last stores to its granules; `reordered` is `last` in the order of the arrivals that stores depend on.
struct StoreTimes {
  std::uint64_t last = 0;
  std::uint64_t earliest = 0;
  std::uint64_t reordered = 0;
};

/// The granules of a message, and where their values were stored first.
class MessageStores {
 public:
  explicit MessageStores(const Data& data);

  /// Goes back from copies to what they are copies of. From now on, stores to that are watched, too.
  void trace_copies();
  /// The times of one part of the message. `history`: of the calling thread; null: it has none.
  [[nodiscard]] StoreTimes times(std::size_t part, const ComputationHistory* history) const;
  /// The first and the last store of each copy that trace_copies() has found, at most `max_copies`.
  [[nodiscard]] const std::vector<std::pair<std::uint64_t, std::uint64_t>>& copies() const { return copies_; }

 private:
  struct Granule {
    std::uintptr_t granule = 0;  ///< where the value was stored first, as far as that is known
    std::uint64_t at = 0;
    std::uint32_t epoch = 0;
  };
  [[nodiscard]] static Granule stored(std::uintptr_t granule);
  [[nodiscard]] bool are_copies(const std::vector<std::uintptr_t>& sources) const;

  std::vector<Granule> granules_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copies_;
  /// Of each part, the index of its first granule and of its last one. Two parts may share a granule.
  std::array<std::pair<std::size_t, std::size_t>, parts> parts_{};
};

}  // namespace stretto::memory
