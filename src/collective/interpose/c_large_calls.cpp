// SPDX-License-Identifier: BSD-3-Clause
// The MPI-4 functions with counts of type MPI_Count, which mpi4py calls for every size. Counts may differ
// between ranks; calls of more bytes than int can count are passed on.
#include <mpi.h>

#if MPI_VERSION >= 4

#include "collective/interpose/operations.hpp"
#include "mpi/next_function.hpp"

#define STRETTO_INTERPOSED extern "C" __attribute__((visibility("default")))

using namespace stretto;

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): MPI's header names them otherwise

STRETTO_INTERPOSED int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root,
                                   MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Bcast_c)(buffer, count, type, root, comm); };
  return interpose::broadcast(buffer, count, type, root, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Gather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                    void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                    int root, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Gather_c)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  };
  return interpose::gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm,
                           pass_on);
}

STRETTO_INTERPOSED int MPI_Scatter_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                     void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                     int root, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Scatter_c)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  };
  return interpose::scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm,
                            pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, int root, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Reduce_c)(send, receive, count, type, op, root, comm); };
  return interpose::reduce(send, receive, count, type, op, root, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Allreduce_c)(send, receive, count, type, op, comm); };
  return interpose::allreduce(send, receive, count, type, op, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Allgather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                       void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                       MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Allgather_c)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  };
  return interpose::allgather(send, send_count, send_type, receive, receive_count, receive_type, comm,
                              pass_on);
}

STRETTO_INTERPOSED int MPI_Allgatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                        void* receive, const MPI_Count receive_counts[],
                                        const MPI_Aint displacements[], MPI_Datatype receive_type,
                                        MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Allgatherv_c)(send, send_count, send_type, receive, receive_counts, displacements,
                                  receive_type, comm);
  };
  return interpose::allgatherv(send, send_count, send_type, receive, receive_counts, displacements,
                               receive_type, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter_block_c(const void* send, void* receive, MPI_Count count,
                                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Reduce_scatter_block_c)(send, receive, count, type, op, comm); };
  return interpose::reduce_scatter(send, receive, count, type, op, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter_c(const void* send, void* receive, const MPI_Count receive_counts[],
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Reduce_scatter_c)(send, receive, receive_counts, type, op, comm);
  };
  return interpose::reduce_scatterv(send, receive, receive_counts, type, op, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Alltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                      void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                      MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Alltoall_c)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  };
  return interpose::alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm,
                             pass_on);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

#endif
