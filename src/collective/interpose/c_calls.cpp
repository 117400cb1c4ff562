// SPDX-License-Identifier: BSD-3-Clause
// The C functions that applications call. What is passed on is the application's own call, untouched.
#include <stretto/collective.hpp>

#include "collective/interpose/operations.hpp"
#include "mpi/next_function.hpp"

#define STRETTO_INTERPOSED extern "C" __attribute__((visibility("default")))

using namespace stretto;

/// A marker by which a tool that is preloaded before this library detects it.
STRETTO_INTERPOSED const char stretto_collectives_preloaded = 1;

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): MPI's header names them otherwise
STRETTO_INTERPOSED int MPI_Init(int* argc, char*** argv) {
  const int code = NEXT(MPI_Init)(argc, argv);
  if (code == MPI_SUCCESS) interpose::Session::instance().begin();
  return code;
}

STRETTO_INTERPOSED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = NEXT(MPI_Init_thread)(argc, argv, required, provided);
  if (code == MPI_SUCCESS) interpose::Session::instance().begin();
  return code;
}

STRETTO_INTERPOSED int MPI_Finalize() {
  interpose::Session::instance().end();
  return NEXT(MPI_Finalize)();
}

STRETTO_INTERPOSED int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Bcast)(buffer, count, type, root, comm); };
  return interpose::broadcast(buffer, count, type, root, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                  int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Gather)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  };
  return interpose::gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm,
                           pass_on);
}

STRETTO_INTERPOSED int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Scatter)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  };
  return interpose::scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm,
                            pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                  int root, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Reduce)(send, receive, count, type, op, root, comm); };
  return interpose::reduce(send, receive, count, type, op, root, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                     MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Allreduce)(send, receive, count, type, op, comm); };
  return interpose::allreduce(send, receive, count, type, op, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                     int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Allgather)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  };
  return interpose::allgather(send, send_count, send_type, receive, receive_count, receive_type, comm,
                              pass_on);
}

STRETTO_INTERPOSED int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                      const int receive_counts[], const int displacements[],
                                      MPI_Datatype receive_type, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Allgatherv)(send, send_count, send_type, receive, receive_counts, displacements,
                                receive_type, comm);
  };
  return interpose::allgatherv(send, send_count, send_type, receive, receive_counts, displacements,
                               receive_type, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type,
                                                MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Reduce_scatter_block)(send, receive, count, type, op, comm); };
  return interpose::reduce_scatter(send, receive, count, type, op, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter(const void* send, void* receive, const int receive_counts[],
                                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Reduce_scatter)(send, receive, receive_counts, type, op, comm);
  };
  return interpose::reduce_scatterv(send, receive, receive_counts, type, op, comm, pass_on);
}

STRETTO_INTERPOSED int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Alltoall)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  };
  return interpose::alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm,
                             pass_on);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
