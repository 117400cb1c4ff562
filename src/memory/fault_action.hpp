// SPDX-License-Identifier: BSD-3-Clause
// The program's own action for SIGSEGV while pages are protected: the watch's handler is installed, and what
// is no fault of the watch is done as the kernel would by the program's action. Knows no MPI.
#pragma once

#include <csignal>

namespace stretto::memory {

/// Installs the watch's handler, and keeps the program's action. False where libc does not.
[[nodiscard]] bool take_over_faults(const struct sigaction& handler);

/// The program's action; null while the watch's handler is not installed.
[[nodiscard]] struct sigaction* program_action();

/// Called by the handler for a signal that is not the watch's: by the program's action the signal is ignored,
/// handled, ends the program, or waits until the program unblocks it.
void pass_on_fault(int number, siginfo_t* info, void* context);

}  // namespace stretto::memory
