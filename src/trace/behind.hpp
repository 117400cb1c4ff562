// SPDX-License-Identifier: BSD-3-Clause
// The next definitions of functions that the recorder wraps: those of a library that is preloaded after it,
// or MPI's own. Such a library may take part in the collectives, and in the beginning and end of MPI.
#pragma once

#include <dlfcn.h>

namespace stretto::trace {

/// The next definition of `name`; `own`, MPI's second name for it, where there is none.
template <typename Function>
Function* behind(const char* name, Function* own) {
  void* found = dlsym(RTLD_NEXT, name);
  return found != nullptr ? reinterpret_cast<Function*>(found) : own;
}

/// For Fortran MPI's own unless our collectives are behind: its bindings may call C's, which would be
/// recorded again.
template <typename Function>
Function* behind_fortran(const char* name, Function* own) {
  static const bool collectives = dlsym(RTLD_NEXT, "stretto_collectives_preloaded") != nullptr;
  return collectives ? behind(name, own) : own;
}

}  // namespace stretto::trace

/// `BEHIND(Bcast)(...)` calls the MPI_Bcast behind ours; looked up once.
#define BEHIND(function)                                                                  \
  ([]() -> decltype(&PMPI_##function) {                                                   \
    static const auto found = stretto::trace::behind("MPI_" #function, &PMPI_##function); \
    return found;                                                                         \
  }())

/// `BEHIND_FORTRAN(bcast_)(...)` calls the mpi_bcast_ behind ours; looked up once.
#define BEHIND_FORTRAN(function)                                                                  \
  ([]() -> decltype(&pmpi_##function) {                                                           \
    static const auto found = stretto::trace::behind_fortran("mpi_" #function, &pmpi_##function); \
    return found;                                                                                 \
  }())
