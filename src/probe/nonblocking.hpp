// SPDX-License-Identifier: BSD-3-Clause
// The interface through which the probes `nbc` and `neighbourhood` call nonblocking operations of many ranks,
// without knowing MPI. A program with MPI provides the implementation, and the virtual machine another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "measure/experiment.hpp"

namespace stretto::probe {

/// The collective operations in the order of collective::Operation, then exchanges with the neighbours in a
/// grid of ranks: MPI_Ineighbor_alltoall, and the same by MPI_Isend and MPI_Irecv.
enum class NonblockingOperation {
  broadcast,
  gather,
  scatter,
  reduce,
  allreduce,
  allgather,
  reduce_scatter,
  alltoall,
  neighbor_alltoall,
  neighbor_sends
};

/// `broadcast`, `reduce-scatter`, `neighbor-alltoall`, ...
[[nodiscard]] std::string_view to_string(NonblockingOperation operation);

struct NonblockingCall {
  NonblockingOperation operation = NonblockingOperation::broadcast;
  int members = 2;             ///< ranks 0 to members - 1 take part
  std::size_t size_bytes = 0;  ///< b of docs/formats.md; of neighbours: of one message
};

/// The ranks of a plane grid without wrap-around, row by row, and the four neighbours of a rank in MPI's
/// order: one up, one down, one left, one right; -1 at the border.
struct NeighbourGrid {
  int rows = 1;
  int columns = 1;

  /// As near to a square as the number of ranks allows; never fewer rows than columns.
  [[nodiscard]] static NeighbourGrid of(int ranks);
  [[nodiscard]] std::array<int, 4> neighbours(int rank) const;
  /// The direction from which a message sent in `direction` arrives.
  [[nodiscard]] static std::size_t opposite(std::size_t direction) { return direction ^ 1U; }
};

[[nodiscard]] std::string to_string(const NeighbourGrid& grid);

class NonblockingCollectives {
 public:
  NonblockingCollectives() = default;
  NonblockingCollectives(const NonblockingCollectives&) = delete;
  NonblockingCollectives& operator=(const NonblockingCollectives&) = delete;
  virtual ~NonblockingCollectives() = default;

  /// Why there is no such operation here; empty where there is one. The same on all ranks.
  [[nodiscard]] virtual std::string_view absence(NonblockingOperation operation) const = 0;

  /// Creates the group and the buffers of `call`; they replace those of the call before. Collective over all
  /// ranks. With `checked`, each rank has separate data for fill().
  virtual void prepare(const NonblockingCall& call, bool checked) = 0;

  /// Starts the prepared call on its members, lets it progress, and completes it. The other ranks do nothing.
  virtual void start() = 0;
  virtual void poll() = 0;
  virtual void finish() = 0;

  /// Fills the contributions with values that depend on rank, place and `seed`, and clears the results.
  virtual void fill(std::uint32_t seed) = 0;
  /// Checks the result after fill(seed).
  [[nodiscard]] virtual measure::CheckedTransfers verify(std::uint32_t seed) const = 0;
};

}  // namespace stretto::probe
