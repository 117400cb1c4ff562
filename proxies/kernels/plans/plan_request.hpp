// SPDX-License-Identifier: BSD-3-Clause
// The requests that `stretto-kernel-plans` answers. Members: `kernel` (`ft`, `mg`, `cg`), `class`, `ranks`,
// `variant`, `transport`, and optionally `iterations` instead of the class's. The answer has `points`, of ft
// those of the grid, and `phases` (`name`, `times`, `flops`, `messages`, those with data, and `sizes_bytes`).
// With `path` and `seconds_per_flop`, too, it has `total_s`, the time of a run in each draw. Flags and
// credits replace barriers, except over MPI's window.
#pragma once

#include "network/request_members.hpp"

namespace stretto::kernel::plans {

/// The answer to a request. Throws std::invalid_argument.
[[nodiscard]] network::Json answer(const network::RequestMembers& members);

}  // namespace stretto::kernel::plans
