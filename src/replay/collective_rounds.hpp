// SPDX-License-Identifier: BSD-3-Clause
// Collective operations as the messages of one algorithm, in rounds. A schedule needs them, because a trace
// only records the call. docs/replay.md (From a trace to a schedule) documents the choice of algorithm.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace stretto::replay {

enum class Collective : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  alltoall,
  reduce_scatter,
  scan
};

struct RoundMessage {
  bool sends = false;      ///< else: receives
  std::uint32_t peer = 0;  ///< within the communicator
  std::uint64_t bytes = 0;
};

/// Concurrent messages; the next round begins when all of them are complete.
using Round = std::vector<RoundMessage>;

struct CollectiveCall {
  Collective what = Collective::barrier;
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::uint32_t root = 0;
  /// Bytes of the whole vector (broadcast, reduce, allreduce, scan), or of one rank's block (gather,
  /// scatter, allgather, alltoall, reduce_scatter).
  std::uint64_t bytes = 0;
  // Of a collective with counts, the bytes for and from each rank, where they are known: of an alltoall both,
  // of an allgather and of a gather's root `received`, of a scatter's root `sent`.
  std::vector<std::uint64_t> sent = {};
  std::vector<std::uint64_t> received = {};
};

/// The rounds of rank `call.rank`.
[[nodiscard]] std::vector<Round> rounds_of(const CollectiveCall& call);

/// The collective of an MPI function in any of its variants (such as MPI_Iallgatherv_c); nothing for other
/// functions.
[[nodiscard]] std::optional<Collective> collective_named(std::string_view name);

}  // namespace stretto::replay
