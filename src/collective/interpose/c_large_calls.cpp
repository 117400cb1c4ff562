// SPDX-License-Identifier: BSD-3-Clause
// The MPI-4 functions with counts of type MPI_Count, which mpi4py calls for every size. Counts that fit into
// int are handled as in the other functions; larger ones are passed on.
#include <mpi.h>

#if MPI_VERSION >= 4

#include <algorithm>
#include <limits>
#include <vector>

#include "collective/interpose/calls.hpp"
#include "mpi/next_function.hpp"

#define STRETTO_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace {

using stretto::interpose::intercepts;

bool is_int(MPI_Count count) { return count <= std::numeric_limits<int>::max(); }

template <typename... Counts>
bool handles(Counts... counts) {
  return intercepts() && (is_int(counts) && ...);
}

int to_int(MPI_Count count) { return static_cast<int>(count); }

/// The counts of all ranks as int if each fits; else empty.
template <typename Count>
std::vector<int> ints(const Count* counts, MPI_Comm communicator) {
  if (!intercepts() || communicator == MPI_COMM_NULL || counts == nullptr) return {};
  const stretto::collective::CommunicatorState& state =
      stretto::collective::CommunicatorState::of(communicator);
  if (state.is_inter() || !std::all_of(counts, counts + state.size(), is_int)) return {};
  return {counts, counts + state.size()};
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): MPI's header names them otherwise
STRETTO_INTERPOSED int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root,
                                   MPI_Comm comm) {
  if (!handles(count)) return NEXT(MPI_Bcast_c)(buffer, count, type, root, comm);
  return MPI_Bcast(buffer, to_int(count), type, root, comm);
}

STRETTO_INTERPOSED int MPI_Gather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                    void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                    int root, MPI_Comm comm) {
  if (!handles(send_count, receive_count)) {
    return NEXT(MPI_Gather_c)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  }
  return MPI_Gather(send, to_int(send_count), send_type, receive, to_int(receive_count), receive_type, root,
                    comm);
}

STRETTO_INTERPOSED int MPI_Scatter_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                     void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                     int root, MPI_Comm comm) {
  if (!handles(send_count, receive_count)) {
    return NEXT(MPI_Scatter_c)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  }
  return MPI_Scatter(send, to_int(send_count), send_type, receive, to_int(receive_count), receive_type, root,
                     comm);
}

STRETTO_INTERPOSED int MPI_Reduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, int root, MPI_Comm comm) {
  if (!handles(count)) return NEXT(MPI_Reduce_c)(send, receive, count, type, op, root, comm);
  return MPI_Reduce(send, receive, to_int(count), type, op, root, comm);
}

STRETTO_INTERPOSED int MPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm) {
  if (!handles(count)) return NEXT(MPI_Allreduce_c)(send, receive, count, type, op, comm);
  return MPI_Allreduce(send, receive, to_int(count), type, op, comm);
}

STRETTO_INTERPOSED int MPI_Allgather_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                       void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                       MPI_Comm comm) {
  if (!handles(send_count, receive_count)) {
    return NEXT(MPI_Allgather_c)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  }
  return MPI_Allgather(send, to_int(send_count), send_type, receive, to_int(receive_count), receive_type,
                       comm);
}

STRETTO_INTERPOSED int MPI_Allgatherv_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                        void* receive, const MPI_Count receive_counts[],
                                        const MPI_Aint displacements[], MPI_Datatype receive_type,
                                        MPI_Comm comm) {
  const std::vector<int> counts = ints(receive_counts, comm);
  const std::vector<int> places = ints(displacements, comm);
  if (counts.empty() || places.empty()) {
    return NEXT(MPI_Allgatherv_c)(send, send_count, send_type, receive, receive_counts, displacements,
                                  receive_type, comm);
  }
  return MPI_Allgatherv(send, to_int(send_count), send_type, receive, counts.data(), places.data(),
                        receive_type, comm);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter_block_c(const void* send, void* receive, MPI_Count count,
                                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!handles(count)) return NEXT(MPI_Reduce_scatter_block_c)(send, receive, count, type, op, comm);
  return MPI_Reduce_scatter_block(send, receive, to_int(count), type, op, comm);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter_c(const void* send, void* receive, const MPI_Count receive_counts[],
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const std::vector<int> counts = ints(receive_counts, comm);
  if (counts.empty()) return NEXT(MPI_Reduce_scatter_c)(send, receive, receive_counts, type, op, comm);
  return MPI_Reduce_scatter(send, receive, counts.data(), type, op, comm);
}

STRETTO_INTERPOSED int MPI_Alltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                      void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                      MPI_Comm comm) {
  if (!handles(send_count, receive_count)) {
    return NEXT(MPI_Alltoall_c)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  }
  return MPI_Alltoall(send, to_int(send_count), send_type, receive, to_int(receive_count), receive_type,
                      comm);
}

#endif
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
