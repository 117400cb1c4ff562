// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates, which a rank on the same node or the target's runtime carries out.
#pragma once

#include <cstdint>

#include "onesided/engine/packet.hpp"

namespace stretto::onesided {

struct RegionState;

/// Returns the value before. `target` is a rank of the region's team; arguments have been checked.
std::uint64_t update_at(RegionState& region, int target, const PacketAtomic& atomic);

}  // namespace stretto::onesided
