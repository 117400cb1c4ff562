// SPDX-License-Identifier: BSD-3-Clause
// The Fortran entry points. Those of mpif.h and `use mpi` exist in all spellings of compilers (name_, name__,
// name, NAME). Those of `use mpi_f08` are name_f08_, with structures of one integer as handles. Only Open
// MPI's Fortran library calls PMPI, past our C functions; MPICH's calls MPI, and so ours.
#include <mpi.h>

#ifdef OPEN_MPI

#include <algorithm>
#include <array>

#include "collective/interpose/session.hpp"
#include "mpi/next_function.hpp"

// The addresses of Fortran's constants in each compiler's spelling; absent in programs without Fortran.
#define STRETTO_CONSTANT(name, NAME)                                                            \
  extern "C" {                                                                                  \
  __attribute__((weak)) extern int mpi_fortran_##name;                                          \
  __attribute__((weak)) extern int mpi_fortran_##name##_;                                       \
  __attribute__((weak)) extern int mpi_fortran_##name##__;                                      \
  __attribute__((weak)) extern int MPI_FORTRAN_##NAME;                                          \
  }                                                                                             \
  const std::array<const int*, 4> name##_places = {&mpi_fortran_##name, &mpi_fortran_##name##_, \
                                                   &mpi_fortran_##name##__, &MPI_FORTRAN_##NAME}

STRETTO_CONSTANT(in_place, IN_PLACE);
STRETTO_CONSTANT(bottom, BOTTOM);

namespace {

/// Whether `argument` is one of the addresses. An address is null where the program has no constant with that
/// spelling.
bool is_one_of(const void* argument, const std::array<const int*, 4>& places) {
  return argument != nullptr && std::ranges::find(places, argument) != places.end();
}

void* buffer(void* argument) {
  if (is_one_of(argument, in_place_places)) return MPI_IN_PLACE;
  if (is_one_of(argument, bottom_places)) return MPI_BOTTOM;
  return argument;
}

void answer(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;  // optional in mpi_f08
}

using Int = const MPI_Fint*;

}  // namespace

// Defines one more name of an entry point.
#define STRETTO_SPELLING(name, spelling)           \
  extern "C" __attribute__((visibility("default"), \
                            alias("stretto_fortran_" #name))) decltype(stretto_fortran_##name) spelling

// Defines all names of an entry point.
#define STRETTO_FORTRAN(name, NAME)          \
  STRETTO_SPELLING(name, mpi_##name##_f08_); \
  STRETTO_SPELLING(name, mpi_##name##_);     \
  STRETTO_SPELLING(name, mpi_##name##__);    \
  STRETTO_SPELLING(name, mpi_##name);        \
  STRETTO_SPELLING(name, MPI_##NAME)

extern "C" {

void stretto_fortran_bcast(void* data, Int count, Int type, Int root, Int comm, MPI_Fint* error) {
  answer(error, MPI_Bcast(buffer(data), *count, MPI_Type_f2c(*type), *root, MPI_Comm_f2c(*comm)));
}

void stretto_fortran_gather(void* send, Int send_count, Int send_type, void* receive, Int receive_count,
                            Int receive_type, Int root, Int comm, MPI_Fint* error) {
  answer(error, MPI_Gather(buffer(send), *send_count, MPI_Type_f2c(*send_type), buffer(receive),
                           *receive_count, MPI_Type_f2c(*receive_type), *root, MPI_Comm_f2c(*comm)));
}

void stretto_fortran_scatter(void* send, Int send_count, Int send_type, void* receive, Int receive_count,
                             Int receive_type, Int root, Int comm, MPI_Fint* error) {
  answer(error, MPI_Scatter(buffer(send), *send_count, MPI_Type_f2c(*send_type), buffer(receive),
                            *receive_count, MPI_Type_f2c(*receive_type), *root, MPI_Comm_f2c(*comm)));
}

void stretto_fortran_reduce(void* send, void* receive, Int count, Int type, Int op, Int root, Int comm,
                            MPI_Fint* error) {
  answer(error, MPI_Reduce(buffer(send), buffer(receive), *count, MPI_Type_f2c(*type), MPI_Op_f2c(*op), *root,
                           MPI_Comm_f2c(*comm)));
}

void stretto_fortran_allreduce(void* send, void* receive, Int count, Int type, Int op, Int comm,
                               MPI_Fint* error) {
  answer(error, MPI_Allreduce(buffer(send), buffer(receive), *count, MPI_Type_f2c(*type), MPI_Op_f2c(*op),
                              MPI_Comm_f2c(*comm)));
}

void stretto_fortran_allgather(void* send, Int send_count, Int send_type, void* receive, Int receive_count,
                               Int receive_type, Int comm, MPI_Fint* error) {
  answer(error, MPI_Allgather(buffer(send), *send_count, MPI_Type_f2c(*send_type), buffer(receive),
                              *receive_count, MPI_Type_f2c(*receive_type), MPI_Comm_f2c(*comm)));
}

void stretto_fortran_allgatherv(void* send, Int send_count, Int send_type, void* receive, Int receive_counts,
                                Int displacements, Int receive_type, Int comm, MPI_Fint* error) {
  answer(error,
         MPI_Allgatherv(buffer(send), *send_count, MPI_Type_f2c(*send_type), buffer(receive), receive_counts,
                        displacements, MPI_Type_f2c(*receive_type), MPI_Comm_f2c(*comm)));
}

void stretto_fortran_reduce_scatter_block(void* send, void* receive, Int count, Int type, Int op, Int comm,
                                          MPI_Fint* error) {
  answer(error, MPI_Reduce_scatter_block(buffer(send), buffer(receive), *count, MPI_Type_f2c(*type),
                                         MPI_Op_f2c(*op), MPI_Comm_f2c(*comm)));
}

void stretto_fortran_reduce_scatter(void* send, void* receive, Int receive_counts, Int type, Int op, Int comm,
                                    MPI_Fint* error) {
  answer(error, MPI_Reduce_scatter(buffer(send), buffer(receive), receive_counts, MPI_Type_f2c(*type),
                                   MPI_Op_f2c(*op), MPI_Comm_f2c(*comm)));
}

void stretto_fortran_alltoall(void* send, Int send_count, Int send_type, void* receive, Int receive_count,
                              Int receive_type, Int comm, MPI_Fint* error) {
  answer(error, MPI_Alltoall(buffer(send), *send_count, MPI_Type_f2c(*send_type), buffer(receive),
                             *receive_count, MPI_Type_f2c(*receive_type), MPI_Comm_f2c(*comm)));
}

void stretto_fortran_init(MPI_Fint* error) { answer(error, MPI_Init(nullptr, nullptr)); }

void stretto_fortran_init_thread(Int required, MPI_Fint* provided, MPI_Fint* error) {
  answer(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}

void stretto_fortran_finalize(MPI_Fint* error) { answer(error, MPI_Finalize()); }

}  // extern "C"

STRETTO_FORTRAN(bcast, BCAST);
STRETTO_FORTRAN(gather, GATHER);
STRETTO_FORTRAN(scatter, SCATTER);
STRETTO_FORTRAN(reduce, REDUCE);
STRETTO_FORTRAN(allreduce, ALLREDUCE);
STRETTO_FORTRAN(allgather, ALLGATHER);
STRETTO_FORTRAN(allgatherv, ALLGATHERV);
STRETTO_FORTRAN(reduce_scatter_block, REDUCE_SCATTER_BLOCK);
STRETTO_FORTRAN(reduce_scatter, REDUCE_SCATTER);
STRETTO_FORTRAN(alltoall, ALLTOALL);
STRETTO_FORTRAN(init, INIT);
STRETTO_FORTRAN(init_thread, INIT_THREAD);
STRETTO_FORTRAN(finalize, FINALIZE);

#endif
