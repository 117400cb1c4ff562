// SPDX-License-Identifier: BSD-3-Clause
// What the calls that set a handler by its name ask of sigaction().
#pragma once

#include <csignal>

namespace stretto::memory {

/// signal(), bsd_signal() and ssignal().
inline constexpr int bsd_handler = SA_RESTART;
/// sysv_signal(): what signal() is with the feature macros of System V or of C alone.
inline constexpr int sysv_handler = static_cast<int>(SA_RESETHAND | SA_NODEFER);

}  // namespace stretto::memory
