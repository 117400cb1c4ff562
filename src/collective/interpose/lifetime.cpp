// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of the functions that initialise and finalise MPI, for C and for Fortran.
#include "collective/interpose/session.hpp"
#include "collective/interpose/wrapping.hpp"
#include "mpi/next_function.hpp"

using stretto::interpose::CollectivesSession;

/// A marker by which a tool that is preloaded before this library detects it.
extern "C" STRETTO_INTERPOSED const char stretto_collectives_preloaded = 1;

extern "C" STRETTO_INTERPOSED int MPI_Init(int* argc, char*** argv) {
  const int code = NEXT(MPI_Init)(argc, argv);
  if (code == MPI_SUCCESS) CollectivesSession::instance().begin();
  return code;
}

extern "C" STRETTO_INTERPOSED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = NEXT(MPI_Init_thread)(argc, argv, required, provided);
  if (code == MPI_SUCCESS) CollectivesSession::instance().begin();
  return code;
}

extern "C" STRETTO_INTERPOSED int MPI_Finalize() {
  CollectivesSession::instance().end();
  return NEXT(MPI_Finalize)();
}

// Open MPI's Fortran library calls PMPI directly, so the functions above do not see its calls.
#ifdef OPEN_MPI

using stretto::interpose::answer;

extern "C" void stretto_fortran_init(MPI_Fint* error) { answer(error, MPI_Init(nullptr, nullptr)); }

extern "C" void stretto_fortran_init_thread(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  answer(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}

extern "C" void stretto_fortran_finalize(MPI_Fint* error) { answer(error, MPI_Finalize()); }

STRETTO_FORTRAN(init, INIT);
STRETTO_FORTRAN(init_thread, INIT_THREAD);
STRETTO_FORTRAN(finalize, FINALIZE);

#endif
