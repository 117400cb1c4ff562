// SPDX-License-Identifier: BSD-3-Clause
// The next definitions of functions that the recorder wraps: those of a library that is preloaded after it,
// or MPI's own. A library after the recorder may replace collectives, MPI_Init and MPI_Finalize.
#pragma once

#include <dlfcn.h>

namespace stretto::trace {

/// The next definition of `name`; if there is none, `own`, MPI's PMPI name for it.
template <typename Function>
Function* behind(const char* name, Function* own) {
  void* found = dlsym(RTLD_NEXT, name);
  return found != nullptr ? reinterpret_cast<Function*>(found) : own;
}

/// The same for Fortran: MPI's own function unless stretto's collectives are preloaded after the recorder.
/// Fortran bindings may call C functions, which would be recorded twice.
template <typename Function>
Function* behind_fortran(const char* name, Function* own) {
  static const bool collectives = dlsym(RTLD_NEXT, "stretto_collectives_preloaded") != nullptr;
  return collectives ? behind(name, own) : own;
}

}  // namespace stretto::trace

/// `BEHIND(Bcast)(...)` calls the next MPI_Bcast after ours; it is looked up once.
#define BEHIND(function)                                                                  \
  ([]() -> decltype(&PMPI_##function) {                                                   \
    static const auto found = stretto::trace::behind("MPI_" #function, &PMPI_##function); \
    return found;                                                                         \
  }())

/// `BEHIND_FORTRAN(bcast_)(...)` calls the next mpi_bcast_ after ours; it is looked up once.
#define BEHIND_FORTRAN(function)                                                                  \
  ([]() -> decltype(&pmpi_##function) {                                                           \
    static const auto found = stretto::trace::behind_fortran("mpi_" #function, &pmpi_##function); \
    return found;                                                                                 \
  }())
