// SPDX-License-Identifier: BSD-3-Clause
// The functions that stand behind ours: those of the next tool that is preloaded, or the MPI library's.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

namespace stretto::interpose {

/// The next definition of `name` behind this library's. Where there is none, this library was not preloaded
/// by a program with that function: the process ends with a line that says so.
[[nodiscard]] void* next_symbol(const char* name);

/// `NEXT(MPI_Bcast)(...)` calls the MPI_Bcast behind ours; looked up once.
#define NEXT(function)                                                                       \
  ([]() -> decltype(&(function)) {                                                           \
    static const auto found =                                                                \
        reinterpret_cast<decltype(&(function))>(stretto::interpose::next_symbol(#function)); \
    return found;                                                                            \
  }())

}  // namespace stretto::interpose
