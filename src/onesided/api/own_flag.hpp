// SPDX-License-Identifier: BSD-3-Clause
// Where a flag of this rank's own part of a region is.
#pragma once

#include <cstddef>
#include <stretto/region.hpp>

namespace stretto::onesided {

/// Throws FinalizedError, or ArgumentError `place`.
[[nodiscard]] std::byte* own_flag(const Region& region, std::size_t offset);

}  // namespace stretto::onesided
