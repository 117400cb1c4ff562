// SPDX-License-Identifier: BSD-3-Clause
// The definitions of one location, which is a thread: its events have numbers of regions and communicators,
// and a clock, of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "foreign/otf2_archive.hpp"
#include "foreign/otf2_bytes.hpp"

namespace stretto::foreign {

/// Translates the numbers and times of a location's events into those of the archive.
class Otf2Local {
 public:
  /// Reads the location's file of definitions; without one, nothing needs a translation. Throws Damaged.
  Otf2Local(const Otf2Archive& archive, const Otf2Location& location);

  /// The archive's number of a region, or of a communicator.
  [[nodiscard]] std::uint64_t region(std::uint64_t own) const { return global(regions_, own); }
  [[nodiscard]] std::uint64_t comm(std::uint64_t own) const { return global(comms_, own); }
  /// A time by the archive's clock. Times are asked for in their order. Throws Damaged.
  [[nodiscard]] std::uint64_t time(std::uint64_t ticks) {
    return offsets_.size() < 2 ? ticks : corrected(ticks);
  }

 private:
  using Map = std::unordered_map<std::uint64_t, std::uint64_t>;
  struct Offset {
    std::uint64_t at = 0;
    std::uint64_t offset = 0;  // two's complement
  };

  static std::uint64_t global(const Map& map, std::uint64_t own) {
    if (map.empty()) return own;
    const auto found = map.find(own);
    return found == map.end() ? own : found->second;
  }

  void take_mapping(Otf2Bytes& body);
  void take_offset(Otf2Bytes& body);
  std::uint64_t corrected(std::uint64_t ticks);

  Map regions_;
  Map comms_;
  std::vector<Offset> offsets_;
  std::size_t interval_ = 0;
};

}  // namespace stretto::foreign
