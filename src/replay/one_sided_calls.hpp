// SPDX-License-Identifier: BSD-3-Clause
// What each call of one-sided communication moves, and what it waits for, in the replay's model of the
// standard's chapter on it (docs/replay.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "replay/trace_file.hpp"

namespace stretto::replay {

/// Which way the data of an operation goes.
enum class Access : std::uint8_t { none, put, get, both };

/// The state of earlier operations of its rank that a call waits for: on one target where it names one, else
/// on all of its window.
enum class Until : std::uint8_t { anything, local, remote };

/// What a call between MPI_Win_post and MPI_Win_wait tells the ranks of its group, or hears of them.
enum class Epoch : std::uint8_t { none, post, start, complete, wait };

struct OneSidedCall {
  std::string_view name;  ///< without `MPI_`, the R of calls with a request, and `_c`
  Access access = Access::none;
  Until until = Until::anything;
  bool joins = false;  ///< all members of the window meet in it
  Epoch epoch = Epoch::none;
  bool locks = false;  ///< it waits for an answer of its target
};

/// The row of a call; null where the replay does not model it, or it is not one-sided communication.
[[nodiscard]] const OneSidedCall* one_sided_call(const TracedCall& call);

}  // namespace stretto::replay
