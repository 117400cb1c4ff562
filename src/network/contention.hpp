// SPDX-License-Identifier: BSD-3-Clause
// What the messages of a reference algorithm take of a network's links and of the processors, as numbers of
// messages: factors of runtime functions. And what operations that follow each other take beyond their sum.
#pragma once

#include <stretto/collective_form.hpp>
#include <vector>

#include "network/message_flows.hpp"

namespace stretto::network {

/// Whether a rank hands over all its messages at once (eager), or each after the one before (rendezvous).
enum class Sending { eager, serialised };

/// When the last message of a rooted operation has arrived, in times that one message alone takes on a link.
/// Messages share links fairly.
[[nodiscard]] double link_time(const GroupedOperation& operation, const Torus& torus, Sending sending);

/// Sends and receives, one after the other, until the last rank is done: LogP with o alone.
[[nodiscard]] int overheads(Operation operation, int members);

/// When the last rank has done these operations, one after the other. Each distinct question is computed
/// once.
[[nodiscard]] double makespan_s(const std::vector<GroupedOperation>& operations, const MessageCosts& costs);

/// What operations that follow each other take beyond the sum of each alone, in seconds; often negative. Each
/// consists of one or more rooted ones, with sizes in units of `size_bytes`. Zero where one has none.
[[nodiscard]] double beyond_sum_s(const MessageCosts& costs,
                                  std::vector<std::vector<GroupedOperation>> operations, double size_bytes);

}  // namespace stretto::network
