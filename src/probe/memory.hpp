// SPDX-License-Identifier: BSD-3-Clause
// Whether what a probe is about to allocate fits into this machine: checked before, because afterwards the
// kernel answers by killing somebody.
#pragma once

#include <string>

#include "measure/team.hpp"

namespace stretto::probe {

/// Bytes that can be allocated on this machine before it swaps; infinite where nobody says.
[[nodiscard]] double available_bytes();

/// Throws std::invalid_argument on all ranks where `bytes_per_rank` times the ranks of one machine do not fit
/// into any of the machines. `what` names the options that ask for it, `mend` what to do. Collective.
void require_memory(measure::Team& team, double bytes_per_rank, const std::string& what,
                    const std::string& mend);

}  // namespace stretto::probe
