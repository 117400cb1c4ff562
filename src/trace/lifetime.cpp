// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init, MPI_Finalize, MPI_Abort and their variants, for C and Fortran.
#include "trace/data_times.hpp"
#include "trace/wrapping.hpp"

namespace stretto::trace {
namespace {

/// Whether MPI_Init of C has begun the recording, which MPICH's Fortran calls.
bool initialised_before = false;

void initialised(std::uint16_t number, void* site) {
  initialised_before = true;
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  recorder().start(MPI_COMM_WORLD, level == MPI_THREAD_MULTIPLE);
  Call call(number, site);
  if (call.ended(MPI_SUCCESS)) plain(call);
}

void initialised_fortran(void* error, std::uint16_t number, void* site) {
  if (*fint(error) == MPI_SUCCESS && !initialised_before) initialised(number, site);
}

/// Ends the recording while MPI still works; the duration of the call itself is recorded by then.
class Finalizing {
 public:
  explicit Finalizing(void* site) : call_(call_finalize, site) {}
  int ended(int error) {
    if (call_.ended(error)) {
      plain(call_);
      note_last_consumed();
      recorder().stop();
    }
    return error;
  }

 private:
  Call call_;
};

void aborting(void* site) {
  Call call(call_abort, site);
  if (!call.ended(MPI_SUCCESS)) return;
  plain(call);
  note_last_consumed();
  recorder().break_off();
}

}  // namespace
}  // namespace stretto::trace

using namespace stretto::trace;

extern "C" {

STRETTO_TRACED int MPI_Init(int* argc, char*** argv) {
  const int error = NEXT_MPI(Init)(argc, argv);
  if (error == MPI_SUCCESS) initialised(call_init, __builtin_return_address(0));
  return error;
}

STRETTO_TRACED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int error = NEXT_MPI(Init_thread)(argc, argv, required, provided);
  if (error == MPI_SUCCESS) initialised(call_init_thread, __builtin_return_address(0));
  return error;
}

STRETTO_TRACED int MPI_Finalize() {
  Finalizing finalizing(__builtin_return_address(0));
  return finalizing.ended(NEXT_MPI(Finalize)());
}

STRETTO_TRACED int MPI_Abort(MPI_Comm comm, int code) {
  aborting(__builtin_return_address(0));
  return PMPI_Abort(comm, code);
}

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
