// SPDX-License-Identifier: BSD-3-Clause
// The actions of each rank in the reference algorithms: which rank sends to which when operations follow
// each other, such as the phases of a call on a grid. It has no times (message_flows.hpp has).
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <stretto/collective_form.hpp>
#include <vector>

namespace stretto::network {

using collective::Algorithm;
using collective::Grid;
using collective::Operation;

/// The ranks of the groups of a phase: `groups` concurrent groups, with distance `stride` between members.
/// With stride 1 groups follow each other; otherwise they are interleaved.
struct GroupPlacement {
  int stride = 1;
  int groups = 1;

  [[nodiscard]] int rank(int group, int member, int members) const {
    return group * (stride == 1 ? members : 1) + member * stride;
  }
  friend auto operator<=>(const GroupPlacement&, const GroupPlacement&) = default;
};

/// One operation, which every group of a placement runs.
struct GroupedOperation {
  Operation operation = Operation::broadcast;
  int members = 1;  ///< p of each group
  GroupPlacement placement;
  double size = 1;  ///< size of a message, in bytes or in units of b

  friend auto operator<=>(const GroupedOperation&, const GroupedOperation&) = default;
};

/// The sequence of rooted operations that an operation consists of (table 1: allreduce, allgather). Empty
/// where its messages are not known.
[[nodiscard]] std::vector<GroupedOperation> rooted_operations_of(Operation operation, int members,
                                                                 const GroupPlacement& placement,
                                                                 double size);

struct RankAction {
  enum class Kind : std::uint8_t { send, receive, compute };

  Kind kind = Kind::compute;
  std::vector<int> peers;  ///< several where messages are started together and all waited for
  double amount = 0;       ///< bytes of each message, or seconds of computation
};

/// The sequence of actions of every rank.
using RankPrograms = std::vector<std::vector<RankAction>>;

/// Appends a rooted operation, and adds ranks where there are fewer than it needs.
void append(RankPrograms& programs, const GroupedOperation& operation);

/// The programs of consecutive rooted operations without a barrier in between.
[[nodiscard]] RankPrograms programs_of(std::span<const GroupedOperation> operations);

}  // namespace stretto::network
