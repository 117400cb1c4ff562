// SPDX-License-Identifier: BSD-3-Clause
// The Fortran entry points, mpif.h and `use mpi` (name_) and `use mpi_f08` (name_f08_, whose handles are
// structures of one integer). Only Open MPI's Fortran library calls PMPI, past our C functions; MPICH's calls
// MPI, and so ours.
#include <mpi.h>

#ifdef OPEN_MPI

#include "collective/interpose/next.hpp"
#include "collective/interpose/session.hpp"

// Where Fortran's constants are, if the program has any Fortran.
extern "C" {
__attribute__((weak)) extern int mpi_fortran_in_place_;
__attribute__((weak)) extern int mpi_fortran_bottom_;
}

namespace {

void* buffer(void* argument) {
  if (&mpi_fortran_in_place_ != nullptr && argument == &mpi_fortran_in_place_) return MPI_IN_PLACE;
  if (&mpi_fortran_bottom_ != nullptr && argument == &mpi_fortran_bottom_) return MPI_BOTTOM;
  return argument;
}

void answer(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;  // optional in mpi_f08
}

using Int = const MPI_Fint*;

}  // namespace

// Both names of one entry point.
#define STRETTO_FORTRAN(name)                                                                          \
  extern "C"                                                                                           \
      __attribute__((visibility("default"),                                                            \
                     alias("stretto_fortran_" #name))) decltype(stretto_fortran_##name) mpi_##name##_; \
  extern "C"                                                                                           \
      __attribute__((visibility("default"),                                                            \
                     alias("stretto_fortran_" #name))) decltype(stretto_fortran_##name) mpi_##name##_f08_

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

STRETTO_FORTRAN(bcast);
STRETTO_FORTRAN(gather);
STRETTO_FORTRAN(scatter);
STRETTO_FORTRAN(reduce);
STRETTO_FORTRAN(allreduce);
STRETTO_FORTRAN(allgather);
STRETTO_FORTRAN(allgatherv);
STRETTO_FORTRAN(reduce_scatter_block);
STRETTO_FORTRAN(reduce_scatter);
STRETTO_FORTRAN(alltoall);
STRETTO_FORTRAN(init);
STRETTO_FORTRAN(init_thread);
STRETTO_FORTRAN(finalize);

#endif
