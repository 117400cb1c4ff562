// SPDX-License-Identifier: BSD-3-Clause
// From MPI_Init to MPI_Finalize, for C and for Fortran. MPI is initialised for several threads; the program
// gets the level that it requested.
#include <cstdlib>

#include "progress/session.hpp"
#include "progress/wrapping.hpp"

namespace stretto::progress {
namespace {

Session& session() { return Session::instance(); }

/// The level that plain MPI_Init stands for.
constexpr int level_of_init = MPI_THREAD_SINGLE;

#ifdef OPEN_MPI
/// Over TCP, Open MPI asks for each part of a large message by a note to the sender ("put"). Where data goes
/// both ways, the note waits behind all that this rank has given to the socket, and when one rank is ahead,
/// the two directions go one after the other. Without puts (send 1, in place 8) they seldom do. What the user
/// has set stays.
[[gnu::constructor]] void let_both_directions_move() { setenv("OMPI_MCA_btl_tcp_flags", "9", 0); }

void answer(void* place, int value) {
  if (place != nullptr) *static_cast<MPI_Fint*>(place) = value;
}

using FortranInitThread = void(void*, void*, void*);

void initialise_fortran(const char* name, int requested, void* provided_to_program, void* given_error) {
  MPI_Fint level = MPI_THREAD_MULTIPLE;
  MPI_Fint provided = MPI_THREAD_SINGLE;
  MPI_Fint error = MPI_SUCCESS;
  mpi::next_function<FortranInitThread>(name)(&level, &provided, &error);
  if (error == MPI_SUCCESS) {
    session().begin(requested, provided);
    answer(provided_to_program, session().level_for_program(provided));
  }
  answer(given_error, error);
}

void finalise_fortran(const char* name, void* error) {
  session().end();
  mpi::next_function<void(void*)>(name)(error);
}

void query_fortran(const char* name, void* level, void* error) {
  mpi::next_function<void(void*, void*)>(name)(level, error);
  answer(level, session().level_for_program(*static_cast<MPI_Fint*>(level)));
}

#endif

}  // namespace
}  // namespace stretto::progress

using namespace stretto::progress;

extern "C" {

STRETTO_WRAPPED int MPI_Init(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  const int error = NEXT(MPI_Init_thread)(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  if (error == MPI_SUCCESS) session().begin(level_of_init, provided);
  return error;
}

STRETTO_WRAPPED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  int level = MPI_THREAD_SINGLE;
  const int error = NEXT(MPI_Init_thread)(argc, argv, MPI_THREAD_MULTIPLE, &level);
  if (error == MPI_SUCCESS) {
    session().begin(required, level);
    *provided = session().level_for_program(level);
  }
  return error;
}

STRETTO_WRAPPED int MPI_Query_thread(int* provided) {
  const int error = NEXT(MPI_Query_thread)(provided);
  if (error == MPI_SUCCESS) *provided = session().level_for_program(*provided);
  return error;
}

STRETTO_WRAPPED int MPI_Finalize() {
  session().end();
  return NEXT(MPI_Finalize)();
}

#ifdef OPEN_MPI
// Its Fortran library calls PMPI, past the functions above.
STRETTO_WRAPPED void mpi_init_(void* error) {
  initialise_fortran("mpi_init_thread_", level_of_init, nullptr, error);
}
STRETTO_WRAPPED void mpi_init_f08_(void* error) {
  initialise_fortran("mpi_init_thread_f08_", level_of_init, nullptr, error);
}
STRETTO_WRAPPED void mpi_init_thread_(void* required, void* provided, void* error) {
  initialise_fortran("mpi_init_thread_", fortran_length(required), provided, error);
}
STRETTO_WRAPPED void mpi_init_thread_f08_(void* required, void* provided, void* error) {
  initialise_fortran("mpi_init_thread_f08_", fortran_length(required), provided, error);
}
STRETTO_WRAPPED void mpi_query_thread_(void* level, void* error) {
  query_fortran("mpi_query_thread_", level, error);
}
STRETTO_WRAPPED void mpi_query_thread_f08_(void* level, void* error) {
  query_fortran("mpi_query_thread_f08_", level, error);
}
STRETTO_WRAPPED void mpi_finalize_(void* error) { finalise_fortran("mpi_finalize_", error); }
STRETTO_WRAPPED void mpi_finalize_f08_(void* error) { finalise_fortran("mpi_finalize_f08_", error); }
#endif

}  // extern "C"
