// SPDX-License-Identifier: BSD-3-Clause
// Defined in the shared library, and in every instrumented program, where it needs no indirection. The
// dynamic linker has all use the program's.
#include "memory/thread_state.hpp"

__thread stretto::memory::ThreadState stretto_memory_thread;
