// SPDX-License-Identifier: BSD-3-Clause
// The alternate stack on which a thread handles faults at protected pages. The stack that the thread runs on,
// its own or a coroutine's, may hold a message and be protected itself, and the kernel ends a process that
// has no writable stack for a signal. Pages of a program's own alternate stack are never protected, and
// sigaltstack answers the program as if there were no other. Knows no MPI.
#pragma once

#include <csignal>

namespace stretto::memory {

/// The type of libc's sigaltstack, which change_fault_stack() replaces.
using ChangeStack = int (*)(const stack_t*, stack_t*) noexcept;

/// Gives the calling thread a stack for faults, unless the program has given it one.
void take_fault_stack() noexcept;

/// Frees that stack at the thread's end. Faults cannot be handled from then on, so the stack that the thread
/// runs on is made writable before.
void return_fault_stack() noexcept;

/// The program calls sigaltstack; `next` is libc's.
int change_fault_stack(const stack_t* requested, stack_t* before, ChangeStack next) noexcept;

/// Excludes the alternate stacks that the program set before the watch began from it.
void exclude_earlier_fault_stacks() noexcept;

}  // namespace stretto::memory
