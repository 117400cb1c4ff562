// SPDX-License-Identifier: BSD-3-Clause
// The stack on which a thread handles faults at protected pages. A message may lie on a thread's stack, or on
// that of a coroutine, and the kernel ends a process that has no writable stack for a signal. A program's own
// alternate stack is not watched, and the program's view of it stays as it has set it. Knows no MPI.
#pragma once

#include <csignal>

namespace stretto::memory {

/// libc's function that is replaced.
using ChangeStack = int (*)(const stack_t*, stack_t*) noexcept;

/// Gives the calling thread a stack for faults, unless the program has given it one.
void take_fault_stack() noexcept;

/// Takes it away at the thread's end, which needs a stack that can be written.
void return_fault_stack() noexcept;

/// Sets or asks for the thread's alternate stack by `next`, libc's sigaltstack.
int change_fault_stack(const stack_t* requested, stack_t* before, ChangeStack next) noexcept;

/// Never watches the alternate stacks that were set before there was a watch.
void exclude_earlier_fault_stacks() noexcept;

}  // namespace stretto::memory
