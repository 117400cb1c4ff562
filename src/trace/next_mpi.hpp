// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions that the recorder's wrappers call: those of a library that is preloaded after the
// recorder, which may replace collectives, MPI_Init and MPI_Finalize; else MPI's own, by their PMPI names.
#pragma once

#include <dlfcn.h>

namespace stretto::trace {

/// The next definition of `name`; if there is none, `own`, MPI's PMPI name for it.
template <typename Function>
Function* next_or(const char* name, Function* own) {
  void* const found = dlsym(RTLD_NEXT, name);
  return found != nullptr ? reinterpret_cast<Function*>(found) : own;
}

/// The same for Fortran: MPI's own function unless stretto's collectives are preloaded after the recorder.
/// Fortran bindings may call C functions, which would be recorded twice.
template <typename Function>
Function* next_fortran_or(const char* name, Function* own) {
  static const bool collectives = dlsym(RTLD_NEXT, "stretto_collectives_preloaded") != nullptr;
  return collectives ? next_or(name, own) : own;
}

}  // namespace stretto::trace

/// `NEXT_MPI(Bcast)(...)` calls the next MPI_Bcast after ours; it is looked up once.
#define NEXT_MPI(function)                                                                 \
  ([]() -> decltype(&PMPI_##function) {                                                    \
    static const auto found = stretto::trace::next_or("MPI_" #function, &PMPI_##function); \
    return found;                                                                          \
  }())

/// `NEXT_FORTRAN(bcast_)(...)` calls the next mpi_bcast_ after ours; it is looked up once.
#define NEXT_FORTRAN(function)                                                                     \
  ([]() -> decltype(&pmpi_##function) {                                                            \
    static const auto found = stretto::trace::next_fortran_or("mpi_" #function, &pmpi_##function); \
    return found;                                                                                  \
  }())
