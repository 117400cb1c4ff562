// SPDX-License-Identifier: BSD-3-Clause
// What a rank has started so far, by path: the record of what the runtime chose.
#pragma once

#include <array>
#include <cstdint>
#include <stretto/options.hpp>

namespace stretto {

struct PathCounters {
  std::uint64_t operations = 0;  ///< puts, gets, accumulates and atomics
  std::uint64_t bytes = 0;       ///< of data, without headers
  /// rma: calls of MPI_Put and MPI_Get; message: requests, and data that a put sends apart from them, without
  /// replies; direct: 0.
  std::uint64_t messages = 0;
};

struct Counters {
  std::array<PathCounters, 3> paths{};
  /// Requests of the message path that only ask whether all is done. Large puts ask, too.
  std::uint64_t fences = 0;

  [[nodiscard]] PathCounters& operator[](Path path) { return paths[static_cast<std::size_t>(path)]; }
  [[nodiscard]] const PathCounters& operator[](Path path) const {
    return paths[static_cast<std::size_t>(path)];
  }
};

}  // namespace stretto
