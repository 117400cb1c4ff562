// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of the functions that initialise and finalise MPI, for C and for Fortran. MPI is initialised with
// MPI_THREAD_MULTIPLE where there may be a thread; the program gets the level that it requested.
#include <cstdlib>
#include <cstring>

#include "progress/session.hpp"
#include "progress/thread_rules.hpp"
#include "progress/wrapping.hpp"

namespace stretto::progress {
namespace {

ProgressSession& session() { return ProgressSession::instance(); }

/// The level that plain MPI_Init stands for.
constexpr int level_of_init = MPI_THREAD_SINGLE;

/// Sets this MPI's variable before MPI reads it. The user's own value takes precedence.
[[gnu::constructor]] void let_both_directions_move() {
#ifdef OPEN_MPI
  constexpr const MpiVariable& variable = open_mpi_without_puts;
#else
  constexpr const MpiVariable& variable = mpich_without_puts;
#endif
  setenv(variable.name, variable.value, 0);
}

const char* name_of(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

/// MPI is initialised. MPI_INFO_ENV of Open MPI has the raised level, which is no level of the program: it
/// gets the program's, also for copies of the info and for Fortran.
void begin(int provided) {
#ifdef OPEN_MPI
  const int own = session().level_for_program(provided);
  if (own != provided) PMPI_Info_set(MPI_INFO_ENV, "thread_level", name_of(own));
#endif
  session().begin(provided);
}

#ifndef OPEN_MPI
/// The value of MPI_INFO_ENV for `key` where it names the level that MPI was initialised with: the program's
/// own level. Null for any other info or key, and where nothing was raised.
const char* level_in_environment(MPI_Info info, const char* key) {
  if (info != MPI_INFO_ENV || key == nullptr || std::strcmp(key, "thread_level") != 0) return nullptr;
  const int own = session().level_for_program(MPI_THREAD_MULTIPLE);
  return own == MPI_THREAD_MULTIPLE ? nullptr : name_of(own);
}
#endif

#ifdef OPEN_MPI
/// Stores an output argument of Fortran, unless it is absent.
void store(void* argument, int value) {
  if (argument != nullptr) *static_cast<MPI_Fint*>(argument) = value;
}

using FortranInitThread = void(void*, void*, void*);

void initialise_fortran(const char* name, int requested, void* provided_to_program, void* given_error) {
  MPI_Fint level = session().level_to_request(requested);
  MPI_Fint provided = MPI_THREAD_SINGLE;
  MPI_Fint error = MPI_SUCCESS;
  mpi::next_function<FortranInitThread>(name)(&level, &provided, &error);
  if (error == MPI_SUCCESS) {
    begin(provided);
    store(provided_to_program, session().level_for_program(provided));
  }
  store(given_error, error);
}

void finalise_fortran(const char* name, void* error) {
  session().end();
  mpi::next_function<void(void*)>(name)(error);
}

void query_fortran(const char* name, void* level, void* error) {
  mpi::next_function<void(void*, void*)>(name)(level, error);
  store(level, session().level_for_program(*static_cast<MPI_Fint*>(level)));
}

#endif

}  // namespace
}  // namespace stretto::progress

using namespace stretto::progress;

extern "C" {

STRETTO_WRAPPED int MPI_Init(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  const int error = NEXT(MPI_Init_thread)(argc, argv, session().level_to_request(level_of_init), &provided);
  if (error == MPI_SUCCESS) begin(provided);
  return error;
}

STRETTO_WRAPPED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  int level = MPI_THREAD_SINGLE;
  const int error = NEXT(MPI_Init_thread)(argc, argv, session().level_to_request(required), &level);
  if (error == MPI_SUCCESS) {
    begin(level);
    *provided = session().level_for_program(level);
  }
  return error;
}

STRETTO_WRAPPED int MPI_Query_thread(int* provided) {
  const int error = NEXT(MPI_Query_thread)(provided);
  if (error == MPI_SUCCESS) *provided = session().level_for_program(*provided);
  return error;
}

#ifndef OPEN_MPI
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the header of MPICH has others
STRETTO_WRAPPED int MPI_Info_get(MPI_Info info, const char* key, int length, char* value, int* found) {
  const int error = NEXT(MPI_Info_get)(info, key, length, value, found);
  const char* const level = level_in_environment(info, key);
  if (error != MPI_SUCCESS || *found == 0 || level == nullptr || length < 0) return error;
  std::strncpy(value, level, static_cast<std::size_t>(length));
  value[length] = '\0';  // MPI's buffer has one more
  return error;
}
#endif

STRETTO_WRAPPED int MPI_Finalize() {
  session().end();
  return NEXT(MPI_Finalize)();
}

#ifdef OPEN_MPI
// Open MPI's Fortran library calls PMPI directly, so the functions above do not see its calls.
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
