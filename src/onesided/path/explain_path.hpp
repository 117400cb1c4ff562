// SPDX-License-Identifier: BSD-3-Clause
// The protocol of an operation and the reason, from what chooses its path. Knows no MPI.
#pragma once

#include <stretto/protocol.hpp>

#include "onesided/path/choose_path.hpp"

namespace stretto::onesided {

/// `receives_segments`: the target's progress thread posts receives for the segments of puts.
[[nodiscard]] ProtocolChoice explain_path(const PathRules& rules, const PathQuery& query,
                                          bool receives_segments);

}  // namespace stretto::onesided
