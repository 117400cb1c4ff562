// SPDX-License-Identifier: BSD-3-Clause
// Collective operations as the messages of one algorithm, round by round: what a schedule needs where a trace
// only says that a collective was called. docs/whatif.md says which algorithm is taken when.
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
  scatter,
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

/// Messages that are under way together; the next round begins when all of them are over.
using Round = std::vector<RoundMessage>;

struct CollectiveCall {
  Collective what = Collective::barrier;
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::uint32_t root = 0;
  /// broadcast, reduce, allreduce, scan: of the whole vector. gather, scatter, allgather, alltoall,
  /// reduce_scatter: of the block of one rank.
  std::uint64_t bytes = 0;
};

/// What rank `call.rank` does.
[[nodiscard]] std::vector<Round> rounds_of(const CollectiveCall& call);

/// By the name of an MPI function, in any of its variants (MPI_Iallgatherv_c); nothing: it is none of these.
[[nodiscard]] std::optional<Collective> collective_named(std::string_view name);

}  // namespace stretto::replay
