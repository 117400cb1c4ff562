// SPDX-License-Identifier: BSD-3-Clause
// Buffers of Fortran's calls as C has them: MPI_IN_PLACE and MPI_BOTTOM are variables there, which a call
// passes by their addresses.
#pragma once

#include <mpi.h>

// Those of Open MPI, in each compiler's spelling, and of MPICH. A name that the program does not have is
// null.
#define STRETTO_FORTRAN_CONSTANT(name, NAME)                                        \
  extern "C" {                                                                      \
  __attribute__((weak)) extern int mpi_fortran_##name;                              \
  __attribute__((weak)) extern int mpi_fortran_##name##_;                           \
  __attribute__((weak)) extern int mpi_fortran_##name##__;                          \
  __attribute__((weak)) extern int MPI_FORTRAN_##NAME;                              \
  __attribute__((weak)) extern void* MPIR_F_MPI_##NAME;                             \
  }                                                                                 \
  inline bool is_fortran_##name(const void* argument) {                             \
    return (&MPIR_F_MPI_##NAME != nullptr && argument == MPIR_F_MPI_##NAME) ||      \
           argument == &mpi_fortran_##name || argument == &mpi_fortran_##name##_ || \
           argument == &mpi_fortran_##name##__ || argument == &MPI_FORTRAN_##NAME;  \
  }

namespace stretto::mpi {

STRETTO_FORTRAN_CONSTANT(in_place, IN_PLACE)
STRETTO_FORTRAN_CONSTANT(bottom, BOTTOM)

/// The buffer as C has it.
[[nodiscard]] inline void* fortran_buffer(void* argument) {
  if (argument == nullptr) return argument;
  if (is_fortran_in_place(argument)) return MPI_IN_PLACE;
  if (is_fortran_bottom(argument)) return MPI_BOTTOM;
  return argument;
}

}  // namespace stretto::mpi

#undef STRETTO_FORTRAN_CONSTANT
