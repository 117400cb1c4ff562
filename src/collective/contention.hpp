// SPDX-License-Identifier: BSD-3-Clause
// What the messages of a reference algorithm take of a network's links and of the processors, as numbers of
// messages: factors of runtime functions. And what operations that follow each other take beyond their sum
// (docs/decisions/runtime-functions.md). Knows no MPI.
#pragma once

#include <stretto/collective_form.hpp>
#include <vector>

#include "collective/flows.hpp"

namespace stretto::collective {

/// Whether a rank hands over all its messages at once, or each waits for the one before (rendezvous).
enum class Sending { eager, in_turn };

/// Until the last message is there, in times that one message alone takes on a link. Messages share links
/// fairly. Of an operation with a root (is_rooted).
[[nodiscard]] double link_time(Operation operation, int members, const Placement& placement,
                               const Torus& torus, Sending sending);

/// Sends and receives, one after the other, until the last rank is done: LogP with o alone.
[[nodiscard]] int overheads(Operation operation, int members);

/// What the operations take in a row beyond the sum of each alone, in seconds; often negative. Each is of one
/// or more parts, whose sizes are in units of `size_bytes`. Zero where one has no parts.
[[nodiscard]] double beyond_s(const Machine& machine, std::vector<std::vector<Part>> operations,
                              double size_bytes);

}  // namespace stretto::collective
