// SPDX-License-Identifier: BSD-3-Clause
// What each rank does in the reference algorithms, one action after the other: who sends what to whom when
// operations follow each other, as the phases of a call on a grid do. Knows no MPI and no times (flows.hpp).
#pragma once

#include <compare>
#include <span>
#include <stretto/collective_form.hpp>
#include <vector>

namespace stretto::collective {

/// Which ranks the groups of a phase have: `groups` of them at once, `stride` from a member to the next.
/// Groups of neighbours lie one behind the other, others in between each other.
struct Placement {
  int stride = 1;
  int groups = 1;

  [[nodiscard]] int rank(int group, int member, int members) const {
    return group * (stride == 1 ? members : 1) + member * stride;
  }
  friend auto operator<=>(const Placement&, const Placement&) = default;
};

/// An operation with a root in all of its groups.
struct Part {
  Operation operation = Operation::broadcast;
  int members = 1;
  Placement placement;
  double size = 1;  ///< of a message: in bytes, or times a b

  friend auto operator<=>(const Part&, const Part&) = default;
};

/// The parts of an operation, one after the other (table 1: allreduce, allgather); none where its messages
/// are not known.
[[nodiscard]] std::vector<Part> parts_of(Operation operation, int members, const Placement& placement,
                                         double size);

struct Action {
  bool sends = false;      ///< or else receives
  std::vector<int> peers;  ///< several where messages are handed over at once, and all waited for
  double size = 0;
};

/// Of every rank, in its order, when the parts follow each other without a barrier in between.
using Programs = std::vector<std::vector<Action>>;
[[nodiscard]] Programs programs_of(std::span<const Part> parts);

}  // namespace stretto::collective
