// SPDX-License-Identifier: BSD-3-Clause
// The next definitions of functions that this library interposes: those of the next preloaded tool, or the
// MPI library's.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

namespace stretto::interpose {

/// The next definition of `name` after this library's. If there is none, this library was not preloaded into
/// a program with that function: the process ends with a message.
[[nodiscard]] void* next_symbol(const char* name);

/// `NEXT(MPI_Bcast)(...)` calls the next MPI_Bcast after ours; it is looked up once.
#define NEXT(function)                                                                       \
  ([]() -> decltype(&(function)) {                                                           \
    static const auto found =                                                                \
        reinterpret_cast<decltype(&(function))>(stretto::interpose::next_symbol(#function)); \
    return found;                                                                            \
  }())

}  // namespace stretto::interpose
