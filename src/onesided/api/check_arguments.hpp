// SPDX-License-Identifier: BSD-3-Clause
// Checks the arguments of an operation before any byte moves. Throws what the public headers document.
#pragma once

#include <cstddef>

#include "onesided/path/execute.hpp"

namespace stretto::onesided {

void check_arguments(const LayoutTransfer& transfer);
void check_arguments(const ContiguousTransfer& transfer);

/// Throws ArgumentError `place` unless an object of `size_bytes` at `offset` is aligned.
void check_aligned(std::size_t offset, std::size_t size_bytes);

}  // namespace stretto::onesided
