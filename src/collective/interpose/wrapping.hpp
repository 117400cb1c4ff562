// SPDX-License-Identifier: BSD-3-Clause
// What the generated wrappers are made of. The Fortran entry points of mpif.h and `use mpi` exist in all
// spellings of compilers (name_, name__, name, NAME). Those of `use mpi_f08` are name_f08_, with structures
// of one integer as handles.
#pragma once

#include <mpi.h>

#define STRETTO_INTERPOSED __attribute__((visibility("default")))

#ifdef OPEN_MPI

#include <algorithm>
#include <array>

// The addresses of Fortran's constants in each compiler's spelling; absent in programs without Fortran.
#define STRETTO_CONSTANT(name, NAME)                                                                   \
  extern "C" {                                                                                         \
  __attribute__((weak)) extern int mpi_fortran_##name;                                                 \
  __attribute__((weak)) extern int mpi_fortran_##name##_;                                              \
  __attribute__((weak)) extern int mpi_fortran_##name##__;                                             \
  __attribute__((weak)) extern int MPI_FORTRAN_##NAME;                                                 \
  }                                                                                                    \
  inline const std::array<const int*, 4> name##_places = {&mpi_fortran_##name, &mpi_fortran_##name##_, \
                                                          &mpi_fortran_##name##__, &MPI_FORTRAN_##NAME}

STRETTO_CONSTANT(in_place, IN_PLACE);
STRETTO_CONSTANT(bottom, BOTTOM);

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

/// Whether `argument` is one of the addresses. An address is null where the program has no constant with that
/// spelling.
inline bool is_one_of(const void* argument, const std::array<const int*, 4>& places) {
  return argument != nullptr && std::ranges::find(places, argument) != places.end();
}

/// A buffer as C has it.
inline void* buffer(void* argument) {
  if (is_one_of(argument, in_place_places)) return MPI_IN_PLACE;
  if (is_one_of(argument, bottom_places)) return MPI_BOTTOM;
  return argument;
}

/// Stores a call's error code, which is optional in mpi_f08.
inline void answer(void* error, int code) {
  if (error != nullptr) *fint(error) = code;
}

}  // namespace stretto::interpose

#endif
