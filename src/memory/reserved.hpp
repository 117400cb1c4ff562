// SPDX-License-Identifier: BSD-3-Clause
// Address space for tables of the whole process, of which little is used. A program that locks its memory
// (mlockall) would otherwise make the kernel fill all of it. Knows no MPI.
#pragma once

#include <cstddef>

namespace stretto::memory {

/// Zeroed memory that exists once it is touched, also after mlockall(MCL_FUTURE). Null where the system has
/// no address space for it.
[[nodiscard]] void* reserve(std::size_t bytes);

/// Tells lock_all() of such memory that was mapped before the program could lock any.
void note_reserved(const void* begin, std::size_t bytes);

/// mlockall() for everything but reserved memory. `next`: libc's own.
int lock_all(int flags, int (*next)(int) noexcept) noexcept;

}  // namespace stretto::memory
