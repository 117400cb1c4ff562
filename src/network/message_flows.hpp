// SPDX-License-Identifier: BSD-3-Clause
// Evaluates the programs of ranks in time: overheads are consecutive, and messages share links fairly
// (LogGP with links).
#pragma once

#include "network/message_costs.hpp"
#include "network/rank_programs.hpp"

namespace stretto::network {

/// The time at which the last rank is done, when all begin at 0. Throws std::logic_error on a deadlock.
[[nodiscard]] double makespan_s(const RankPrograms& programs, const MessageCosts& costs);

}  // namespace stretto::network
