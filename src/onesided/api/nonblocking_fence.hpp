// SPDX-License-Identifier: BSD-3-Clause
// Fences that do not wait, as handles.
#pragma once

#include <stretto/handle.hpp>
#include <vector>

#include "onesided/api/runtime_state.hpp"

namespace stretto::onesided {

/// Its handle is not pending where nothing is outstanding to `target`.
[[nodiscard]] Handle start_fence(RuntimeState& state, int target);
/// The pending ones of all targets.
[[nodiscard]] std::vector<Handle> start_fences(RuntimeState& state);

}  // namespace stretto::onesided
