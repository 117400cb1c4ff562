// SPDX-License-Identifier: BSD-3-Clause
// Programs of ranks in time: overheads one after the other, and messages that share links fairly (LogGP, with
// the links of the messages).
#pragma once

#include "network/message_costs.hpp"
#include "network/rank_programs.hpp"

namespace stretto::network {

/// When the last rank is done, all having begun at 0. Throws std::logic_error where the ranks deadlock.
[[nodiscard]] double makespan_s(const RankPrograms& programs, const MessageCosts& costs);

}  // namespace stretto::network
