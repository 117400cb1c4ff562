// SPDX-License-Identifier: BSD-3-Clause
// The load that the messages of a reference algorithm put on links and processors, as factors of runtime
// functions. Also the time of consecutive operations beyond the sum of their times.
#pragma once

#include <stretto/collective_form.hpp>
#include <vector>

#include "network/message_flows.hpp"

namespace stretto::network {

/// Whether a rank starts all its messages at once (eager), or each after the one before (rendezvous).
enum class Sending { eager, serialised };

/// The time until the last message of a rooted operation has arrived, in units of one message alone on a
/// link. Messages share links fairly.
[[nodiscard]] double link_time(const GroupedOperation& operation, const Torus& torus, Sending sending);

/// The number of overheads o, for consecutive sends and receives, until the last rank is done (LogP with o
/// alone).
[[nodiscard]] int overheads(Operation operation, int members);

/// The time until the last rank has finished these consecutive operations. Results are cached.
[[nodiscard]] double makespan_s(const std::vector<GroupedOperation>& operations, const MessageCosts& costs);

/// The time of consecutive operations minus the sum of their single times, in seconds; often negative. Each
/// consists of one or more rooted operations, with sizes in units of `size_bytes`. Zero if any of them has
/// no known messages.
[[nodiscard]] double makespan_excess_s(const MessageCosts& costs,
                                       std::vector<std::vector<GroupedOperation>> operations,
                                       double size_bytes);

}  // namespace stretto::network
