// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort of Fortran.
#include "trace/fortran.hpp"
#include "trace/lifetime.hpp"

namespace stretto::trace {
namespace {

void initialised_fortran(void* error, std::uint16_t number, void* site) {
  if (*fint(error) == MPI_SUCCESS && !initialised_before) initialised(number, site);
}

}  // namespace
}  // namespace stretto::trace

using namespace stretto::trace;

extern "C" {

__attribute__((weak)) void pmpi_init_(void* error);
__attribute__((weak)) void pmpi_init_thread_(void* required, void* provided, void* error);
__attribute__((weak)) void pmpi_finalize_(void* error);
__attribute__((weak)) void pmpi_abort_(void* comm, void* code, void* error);

// The mpi_f08 versions of Open MPI, in which the error is optional.
__attribute__((weak)) void pmpi_init_f08_(void* error);
__attribute__((weak)) void pmpi_init_thread_f08_(void* required, void* provided, void* error);
__attribute__((weak)) void pmpi_finalize_f08_(void* error);
__attribute__((weak)) void pmpi_abort_f08_(void* comm, void* code, void* error);

STRETTO_TRACED void mpi_init_(void* error) {
  NEXT_FORTRAN(init_)(error);
  initialised_fortran(error, call_init, __builtin_return_address(0));
}

STRETTO_TRACED void mpi_init_f08_(void* given) {
  const OptionalError error(given);
  NEXT_FORTRAN(init_f08_)(error.pointer());
  initialised_fortran(error.pointer(), call_init, __builtin_return_address(0));
}

STRETTO_TRACED void mpi_init_thread_(void* required, void* provided, void* error) {
  NEXT_FORTRAN(init_thread_)(required, provided, error);
  initialised_fortran(error, call_init_thread, __builtin_return_address(0));
}

STRETTO_TRACED void mpi_init_thread_f08_(void* required, void* provided, void* given) {
  const OptionalError error(given);
  NEXT_FORTRAN(init_thread_f08_)(required, provided, error.pointer());
  initialised_fortran(error.pointer(), call_init_thread, __builtin_return_address(0));
}

STRETTO_TRACED void mpi_finalize_(void* error) {
  Finalizing finalizing(__builtin_return_address(0));
  NEXT_FORTRAN(finalize_)(error);
  finalizing.ended(*fint(error));
}

STRETTO_TRACED void mpi_finalize_f08_(void* given) {
  const OptionalError error(given);
  Finalizing finalizing(__builtin_return_address(0));
  NEXT_FORTRAN(finalize_f08_)(error.pointer());
  finalizing.ended(*fint(error.pointer()));
}

STRETTO_TRACED void mpi_abort_(void* comm, void* code, void* error) {
  aborting(__builtin_return_address(0));
  pmpi_abort_(comm, code, error);
}

STRETTO_TRACED void mpi_abort_f08_(void* comm, void* code, void* error) {
  aborting(__builtin_return_address(0));
  pmpi_abort_f08_(comm, code, error);
}

}  // extern "C"
