// SPDX-License-Identifier: BSD-3-Clause
// The kinds of calls (src/interpose/calls.txt), with what the replay and the analysis need to know of each.
#pragma once

#include <cstdint>
#include <string_view>

namespace stretto::replay {

/// What a call moves between ranks.
enum class Moves : std::uint8_t { nothing, sends, receives, both, collective, neighbours, one_sided };

/// When the operation of a call ends.
enum class Ends : std::uint8_t { with_call, with_request, of_later_starts };

/// What a call has to do with messages that a probe takes out of the queue.
enum class Probing : std::uint8_t { none, probes, receives_probed };

struct KindTraits {
  std::string_view name;
  Moves moves = Moves::nothing;
  Ends ends = Ends::with_call;
  Probing probing = Probing::none;
  bool waits = false;     ///< the time in it is spent waiting for other ranks
  bool computes = false;  ///< in a schedule, its time counts as computation

  [[nodiscard]] bool sends() const { return moves == Moves::sends || moves == Moves::both; }
  [[nodiscard]] bool blocks() const { return moves != Moves::nothing && ends == Ends::with_call; }
  [[nodiscard]] bool starts() const { return moves != Moves::nothing && ends == Ends::with_request; }
};

/// The traits of a kind. One without a row of its own, such as `wait`, moves nothing by itself.
[[nodiscard]] const KindTraits& traits_of_kind(std::string_view kind);

}  // namespace stretto::replay
