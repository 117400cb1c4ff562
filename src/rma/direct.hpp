// SPDX-License-Identifier: BSD-3-Clause
// The shortest way of all: a block that is loaded from a neighbour's memory, or stored there, at once.
#pragma once

#include "rma/execute.hpp"

namespace stretto::rma {

/// Done when it returns true. False where anything speaks against it, wrong arguments too: run() then does
/// it, or says what is wrong.
[[nodiscard]] bool move_directly(const Block& block);

}  // namespace stretto::rma
