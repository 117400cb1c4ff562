// SPDX-License-Identifier: BSD-3-Clause
// Checks whether the memory of a probe fits into this machine. The check comes before the allocation,
// because afterwards the kernel kills a process.
#pragma once

#include <string>

#include "measure/team.hpp"

namespace stretto::probe {

/// Bytes that can be allocated on this machine before it swaps; infinite where that is unknown.
[[nodiscard]] double available_bytes();

/// Throws std::invalid_argument on all ranks where `bytes_per_rank` times the ranks of a machine exceed its
/// memory. `what` names the options that need the memory, `advice` describes a remedy. Collective.
void require_memory(measure::Team& team, double bytes_per_rank, const std::string& what,
                    const std::string& advice);

}  // namespace stretto::probe
