// SPDX-License-Identifier: BSD-3-Clause
// What each rank does in the reference algorithms, one action after the other: which rank sends to which when
// operations follow each other, as the phases of a call on a grid do. Has no times (message_flows.hpp).
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

/// Which ranks the groups of a phase have: `groups` of them at once, `stride` from a member to the next.
/// Groups of consecutive ranks lie one behind the other; others are interleaved.
struct GroupPlacement {
  int stride = 1;
  int groups = 1;

  [[nodiscard]] int rank(int group, int member, int members) const {
    return group * (stride == 1 ? members : 1) + member * stride;
  }
  friend auto operator<=>(const GroupPlacement&, const GroupPlacement&) = default;
};

/// One operation that every group of a placement carries out.
struct GroupedOperation {
  Operation operation = Operation::broadcast;
  int members = 1;  ///< p of each group
  GroupPlacement placement;
  double size = 1;  ///< of a message: in bytes, or times a b

  friend auto operator<=>(const GroupedOperation&, const GroupedOperation&) = default;
};

/// The rooted operations that an operation consists of, in order (table 1: allreduce, allgather). Empty where
/// its messages are not known.
[[nodiscard]] std::vector<GroupedOperation> rooted_operations_of(Operation operation, int members,
                                                                 const GroupPlacement& placement,
                                                                 double size);

struct RankAction {
  enum class Kind : std::uint8_t { send, receive, compute };

  Kind kind = Kind::compute;
  std::vector<int> peers;  ///< several where messages are handed over at once and all waited for
  double amount = 0;       ///< of each message, in bytes; of computation, in seconds
};

/// The actions of every rank, in its order.
using RankPrograms = std::vector<std::vector<RankAction>>;

/// One more rooted operation, with new ranks where there were fewer.
void append(RankPrograms& programs, const GroupedOperation& operation);

/// Rooted operations that follow each other without a barrier in between.
[[nodiscard]] RankPrograms programs_of(std::span<const GroupedOperation> operations);

}  // namespace stretto::network
