// SPDX-License-Identifier: BSD-3-Clause
// Counters of the operations that a rank has started, by the path that the runtime chose.
#pragma once

#include <array>
#include <cstdint>
#include <stretto/options.hpp>

namespace stretto {

struct PathCounters {
  std::uint64_t operations = 0;  ///< puts, gets, accumulates and atomics
  std::uint64_t bytes = 0;       ///< of data, without headers
  /// rma: calls of MPI_Put and MPI_Get; message: requests and rendezvous segments, without replies; direct:
  /// 0.
  std::uint64_t messages = 0;
  /// Bytes of data that this rank copied into or out of buffers of the runtime; 0 for what rendezvous moves.
  std::uint64_t copied_bytes = 0;
};

struct Counters {
  std::array<PathCounters, 3> paths{};
  /// Requests of the message path that only query remote completion, of fences and of large puts.
  std::uint64_t fences = 0;

  [[nodiscard]] PathCounters& operator[](Path path) { return paths[static_cast<std::size_t>(path)]; }
  [[nodiscard]] const PathCounters& operator[](Path path) const {
    return paths[static_cast<std::size_t>(path)];
  }
};

}  // namespace stretto
