// SPDX-License-Identifier: BSD-3-Clause
// What the messages of a reference algorithm take of a network's links and of the processors, as numbers of
// messages: factors of runtime functions (docs/decisions/0080). Knows no MPI, and no times.
#pragma once

#include <stretto/collective_form.hpp>
#include <vector>

namespace stretto::collective {

/// The widths of a torus, rank i at node i, the first dimension fastest; none: all nodes on one switch.
using Torus = std::vector<int>;

/// Which ranks the groups of a phase have: `groups` of them at once, `stride` from a member to the next.
/// Groups of neighbours lie one behind the other, others in between each other.
struct Placement {
  int stride = 1;
  int groups = 1;

  friend auto operator<=>(const Placement&, const Placement&) = default;
};

/// Whether a rank hands over all its messages at once, or each waits for the one before (rendezvous).
enum class Sending { eager, in_turn };

/// Until the last message is there, in times that one message alone takes on a link. Messages share links
/// fairly. Of an operation with a root (is_rooted).
[[nodiscard]] double link_time(Operation operation, int members, const Placement& placement,
                               const Torus& torus, Sending sending);

/// Sends and receives, one after the other, until the last rank is done: LogP with o alone.
[[nodiscard]] int overheads(Operation operation, int members);

}  // namespace stretto::collective
