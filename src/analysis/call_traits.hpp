// SPDX-License-Identifier: BSD-3-Clause
// What the analysis needs to know of a record, by the name and kind of its call (src/interpose/calls.txt).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/trace_file.hpp"

namespace stretto::analysis {

enum class Side : std::uint8_t { send, receive, collective, one_sided };

/// The role of a record.
enum class Role : std::uint8_t { other, call, free_request, completion, receive_half, started, data, region };

/// What a call does to the messages that it matches.
enum class Matching : std::uint8_t { none, sends, starts_send, receives, posts, probes, takes_probed };

/// What the time in a call is spent on.
enum class Spends : std::uint8_t { nothing, itself, waiting };

/// Which ranks a collective operation waits for.
enum class WaitsFor : std::uint8_t { all, root, root_for_all };

/// The calls between which a rank's run lies.
enum class Bound : std::uint8_t { none, initialises, begins_session, finalises };

struct CallTraits {
  std::string name;
  std::string kind;
  Role role = Role::other;
  std::optional<Side> blocking;     ///< it is an operation that ends with the call
  std::optional<Side> nonblocking;  ///< it starts an operation
  bool has_peer = false;            ///< without a peer there is no operation
  bool ends_accesses = false;       ///< it waits for one-sided operations
  bool ends_of_one_target = false;  ///< to one target only
  Matching matching = Matching::none;
  bool half_posts = false;  ///< the receive half of the call is nonblocking
  Spends spends = Spends::itself;
  bool is_collective = false;  ///< all members of its communicator call it, blocking or not
  WaitsFor waits_for = WaitsFor::all;
  Bound bound = Bound::none;

  [[nodiscard]] bool is_call() const { return role == Role::call || role == Role::free_request; }
};

/// The traits of all numbers that a trace's records may have.
[[nodiscard]] std::vector<CallTraits> traits_of(const std::vector<replay::TracedCall>& calls);

/// Whether a one-sided operation of that name brings data to its rank.
[[nodiscard]] bool fetches(const std::string& call);

}  // namespace stretto::analysis
