// SPDX-License-Identifier: BSD-3-Clause
// What the generated wrappers are made of. The Fortran entry points of mpif.h and `use mpi` exist in all
// spellings of compilers (name_, name__, name, NAME). Those of `use mpi_f08` are name_f08_, with structures
// of one integer as handles.
#pragma once

#include <mpi.h>

#define STRETTO_INTERPOSED __attribute__((visibility("default")))

#ifdef OPEN_MPI

#include "mpi/fortran_buffer.hpp"

// Defines one more name of an entry point.
#define STRETTO_SPELLING(name, spelling)           \
  extern "C" __attribute__((visibility("default"), \
                            alias("stretto_fortran_" #name))) decltype(stretto_fortran_##name) spelling

// Defines all names of an entry point, which is stretto_fortran_name.
#define STRETTO_FORTRAN(name, NAME)          \
  STRETTO_SPELLING(name, mpi_##name##_f08_); \
  STRETTO_SPELLING(name, mpi_##name##_);     \
  STRETTO_SPELLING(name, mpi_##name##__);    \
  STRETTO_SPELLING(name, mpi_##name);        \
  STRETTO_SPELLING(name, MPI_##NAME)

namespace stretto::interpose {

inline MPI_Fint* fint(void* argument) { return static_cast<MPI_Fint*>(argument); }

using mpi::fortran_buffer;

/// Stores a call's error code, which is optional in mpi_f08.
inline void answer(void* error, int code) {
  if (error != nullptr) *fint(error) = code;
}

}  // namespace stretto::interpose

#endif
