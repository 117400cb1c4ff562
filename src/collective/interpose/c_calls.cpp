// SPDX-License-Identifier: BSD-3-Clause
// The C functions that applications call. Each computes the size b from arguments that MPI requires to be
// equal on all ranks, and is executed as decided.
#include <numeric>
#include <stretto/collective.hpp>

#include "collective/interpose/calls.hpp"
#include "mpi/next_function.hpp"

#define STRETTO_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace {

using namespace stretto;
using collective::Form;
using collective::Operation;
using interpose::bytes_of;
using interpose::decide;
using interpose::intercepts;

/// Mean bytes per rank, from the counts of all ranks.
std::uint64_t mean_bytes(const int* counts, MPI_Datatype type, MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL || counts == nullptr || type == MPI_DATATYPE_NULL) return 0;
  const collective::CommunicatorState& state = collective::CommunicatorState::of(communicator);
  if (state.is_inter()) return 0;
  const auto total = std::accumulate(counts, counts + state.size(), std::int64_t{0});
  if (total < 1) return 0;
  return collective::size_of(total, type) / static_cast<std::uint64_t>(state.size());
}

bool is_root(MPI_Comm communicator, int root) {
  return communicator != MPI_COMM_NULL && collective::CommunicatorState::of(communicator).rank() == root;
}

}  // namespace

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
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::broadcast(buffer, count, type, root, comm, form);
  };
  return decide(Operation::broadcast, comm, bytes_of(count, type), carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                  int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Gather)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::gather(send, send_count, send_type, receive, receive_count, receive_type, root, comm, form);
  };
  const std::uint64_t bytes =
      is_root(comm, root) ? bytes_of(receive_count, receive_type) : bytes_of(send_count, send_type);
  return decide(Operation::gather, comm, bytes, carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Scatter)(send, send_count, send_type, receive, receive_count, receive_type, root, comm);
  };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::scatter(send, send_count, send_type, receive, receive_count, receive_type, root, comm, form);
  };
  const std::uint64_t bytes =
      is_root(comm, root) ? bytes_of(send_count, send_type) : bytes_of(receive_count, receive_type);
  return decide(Operation::scatter, comm, bytes, carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                  int root, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Reduce)(send, receive, count, type, op, root, comm); };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::reduce(send, receive, count, type, op, root, comm, form);
  };
  return decide(Operation::reduce, comm, bytes_of(count, type), carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                     MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Allreduce)(send, receive, count, type, op, comm); };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::allreduce(send, receive, count, type, op, comm, form);
  };
  return decide(Operation::allreduce, comm, bytes_of(count, type), carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                     int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Allgather)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::allgather(send, send_count, send_type, receive, receive_count, receive_type, comm, form);
  };
  return decide(Operation::allgather, comm, bytes_of(receive_count, receive_type), carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                      const int receive_counts[], const int displacements[],
                                      MPI_Datatype receive_type, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Allgatherv)(send, send_count, send_type, receive, receive_counts, displacements,
                                receive_type, comm);
  };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::allgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                           comm, form);
  };
  return decide(Operation::allgather, comm, mean_bytes(receive_counts, receive_type, comm), carry_out,
                pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type,
                                                MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] { return NEXT(MPI_Reduce_scatter_block)(send, receive, count, type, op, comm); };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::reduce_scatter(send, receive, count, type, op, comm, form);
  };
  return decide(Operation::reduce_scatter, comm, bytes_of(count, type), carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Reduce_scatter(const void* send, void* receive, const int receive_counts[],
                                          MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Reduce_scatter)(send, receive, receive_counts, type, op, comm);
  };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::reduce_scatterv(send, receive, receive_counts, type, op, comm, form);
  };
  return decide(Operation::reduce_scatter, comm, mean_bytes(receive_counts, type, comm), carry_out, pass_on);
}

STRETTO_INTERPOSED int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  const auto pass_on = [&] {
    return NEXT(MPI_Alltoall)(send, send_count, send_type, receive, receive_count, receive_type, comm);
  };
  if (!intercepts()) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, form);
  };
  return decide(Operation::alltoall, comm, bytes_of(receive_count, receive_type), carry_out, pass_on);
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
