// SPDX-License-Identifier: BSD-3-Clause
// What MPI may use until it ends, because the other ranks never came: it is kept, and never freed.
#pragma once

#include <memory>

namespace stretto::onesided {

/// Keeps the object to the end of the process.
void leave_behind(std::shared_ptr<void> object) noexcept;

}  // namespace stretto::onesided
