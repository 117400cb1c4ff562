// SPDX-License-Identifier: BSD-3-Clause
// The calls of each operation, with counts of int or of MPI_Count: their size from significant arguments, and
// their execution. Arguments are MPI's, followed by the application's own call, for where it is passed on.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <stretto/collective.hpp>
#include <vector>

#include "collective/interpose/calls.hpp"
#include "collective/two_phase.hpp"
#include "mpi/next_function.hpp"

namespace stretto::interpose {

using collective::CommunicatorState;
using collective::Form;
using collective::Operation;

/// A significant count of a call of few bytes. An ignored count is not converted: it may have any
/// value.
template <typename Count>
int to_int(Count count) {
  return static_cast<int>(std::clamp<Count>(count, 0, std::numeric_limits<int>::max()));
}

/// The size of a call with a block of equal size for each rank.
inline CallSize block_size(MPI_Count count, MPI_Datatype type) {
  const std::uint64_t bytes = bytes_of(count, type);
  return {.deciding = bytes, .countable = bytes};
}

/// The size of a call with a count for each rank: the mean decides. Counts and types may differ between
/// ranks, and their bytes may not.
template <typename Count>
CallSize mean_size(const CommunicatorState& state, const Count* counts, MPI_Datatype type) {
  if (counts == nullptr) return {};
  const auto ranks = static_cast<std::uint64_t>(state.size());
  const std::uint64_t total = bytes_of(std::accumulate(counts, counts + state.size(), MPI_Count{0}), type);
  return {.deciding = total / ranks, .countable = total};
}

template <typename Count>
std::vector<int> ints(const CommunicatorState& state, const Count* counts) {
  std::vector<int> result(static_cast<std::size_t>(state.size()));
  std::transform(counts, counts + state.size(), result.begin(), to_int<Count>);
  return result;
}

/// The address of the block of `rank`; not for a null type, or another that MPI refuses.
template <typename Address>
Address block_of(Address buffer, int rank, MPI_Count count, MPI_Datatype type) {
  return collective::offset_by(buffer, rank * static_cast<MPI_Aint>(count) * collective::extent_of(type));
}

/// Whether this MPI refuses the arguments of `call`, which has the buffers of the application's own block and
/// a communicator of this rank alone. Some MPIs refuse a block that is both source and destination. Such a
/// call is passed on, because it fails without a message, and phases would wait for ranks that do not call at
/// all.
template <typename Call>
bool is_refused(Call&& call) {
  const collective::OwnCommunicator self(MPI_COMM_SELF, 0, 0);
  return call(self.get()) != MPI_SUCCESS;
}

template <typename Count, typename PassOn>
int broadcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const auto carry_out = [&](const Form& form) {
    collective::broadcast(buffer, to_int(count), type, root, comm, form);
  };
  return decide(Operation::broadcast, *state, block_size(count, type), Grids::all, carry_out, pass_on);
}

template <typename Count, typename PassOn>
int gather(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count receive_count,
           MPI_Datatype receive_type, int root, MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const bool at_root = state->rank() == root;
  const CallSize size = at_root ? block_size(receive_count, receive_type) : block_size(send_count, send_type);
  if (at_root && size.is_small() && send == block_of(receive, root, receive_count, receive_type) &&
      is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Gather)(send, to_int(send_count), send_type, const_cast<void*>(send),
                                to_int(receive_count), receive_type, 0, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::gather(send, send == MPI_IN_PLACE ? 0 : to_int(send_count), send_type, receive,
                       at_root ? to_int(receive_count) : 0, receive_type, root, comm, form);
  };
  return decide(Operation::gather, *state, size, Grids::all, carry_out, pass_on);
}

template <typename Count, typename PassOn>
int scatter(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count receive_count,
            MPI_Datatype receive_type, int root, MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const bool at_root = state->rank() == root;
  const CallSize size = at_root ? block_size(send_count, send_type) : block_size(receive_count, receive_type);
  if (at_root && size.is_small() && receive == block_of(send, root, send_count, send_type) &&
      is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Scatter)(receive, to_int(send_count), send_type, receive, to_int(receive_count),
                                 receive_type, 0, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::scatter(send, at_root ? to_int(send_count) : 0, send_type, receive,
                        receive == MPI_IN_PLACE ? 0 : to_int(receive_count), receive_type, root, comm, form);
  };
  return decide(Operation::scatter, *state, size, Grids::all, carry_out, pass_on);
}

template <typename Count, typename PassOn>
int reduce(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = block_size(count, type);
  if (state->rank() == root && size.is_small() && send == receive && is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Reduce)(send, receive, to_int(count), type, op, 0, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::reduce(send, receive, to_int(count), type, op, root, comm, form);
  };
  return decide(Operation::reduce, *state, size, collective::commutes(op) ? Grids::all : Grids::regular,
                carry_out, pass_on);
}

template <typename Count, typename PassOn>
int allreduce(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = block_size(count, type);
  if (size.is_small() && send == receive && is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Allreduce)(send, receive, to_int(count), type, op, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::allreduce(send, receive, to_int(count), type, op, comm, form);
  };
  return decide(Operation::allreduce, *state, size, collective::commutes(op) ? Grids::all : Grids::regular,
                carry_out, pass_on);
}

template <typename Count, typename PassOn>
int allgather(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count receive_count,
              MPI_Datatype receive_type, MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = block_size(receive_count, receive_type);
  if (size.is_small() && send == block_of(receive, state->rank(), receive_count, receive_type) &&
      is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Allgather)(send, to_int(send_count), send_type, const_cast<void*>(send),
                                   to_int(receive_count), receive_type, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::allgather(send, send == MPI_IN_PLACE ? 0 : to_int(send_count), send_type, receive,
                          to_int(receive_count), receive_type, comm, form);
  };
  return decide(Operation::allgather, *state, size, Grids::all, carry_out, pass_on);
}

template <typename Count, typename Displacement, typename PassOn>
int allgatherv(const void* send, Count send_count, MPI_Datatype send_type, void* receive,
               const Count* receive_counts, const Displacement* displacements, MPI_Datatype receive_type,
               MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = mean_size(*state, receive_counts, receive_type);
  if (size.is_small() &&
      send == collective::offset_by(receive,
                                    displacements[state->rank()] * collective::extent_of(receive_type)) &&
      is_refused([&](MPI_Comm self) {
        const int count = to_int(receive_counts[state->rank()]);
        const int place = 0;
        return NEXT(MPI_Allgatherv)(send, to_int(send_count), send_type, const_cast<void*>(send), &count,
                                    &place, receive_type, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    const std::vector<int> counts = ints(*state, receive_counts);
    const std::vector<MPI_Aint> places(displacements, displacements + state->size());
    const int sends = send == MPI_IN_PLACE ? 0 : to_int(send_count);
    if (!collective::allgatherv_on_grid(send, sends, send_type, receive, counts.data(), places.data(),
                                        receive_type, comm, form)) {
      mpi::check(pass_on(), "MPI_Allgatherv");
    }
  };
  return decide(Operation::allgather, *state, size, Grids::regular, carry_out, pass_on);
}

template <typename Count, typename PassOn>
int reduce_scatter(const void* send, void* receive, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = block_size(count, type);
  if (size.is_small() && send == receive && is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Reduce_scatter_block)(send, receive, to_int(count), type, op, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::reduce_scatter(send, receive, to_int(count), type, op, comm, form);
  };
  return decide(Operation::reduce_scatter, *state, size,
                collective::commutes(op) ? Grids::regular : Grids::none, carry_out, pass_on);
}

template <typename Count, typename PassOn>
int reduce_scatterv(const void* send, void* receive, const Count* receive_counts, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = mean_size(*state, receive_counts, type);
  if (size.is_small() && send == receive && is_refused([&](MPI_Comm self) {
        const int count = to_int(receive_counts[state->rank()]);
        return NEXT(MPI_Reduce_scatter)(send, receive, &count, type, op, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::reduce_scatterv(send, receive, ints(*state, receive_counts).data(), type, op, comm, form);
  };
  return decide(Operation::reduce_scatter, *state, size,
                collective::commutes(op) ? Grids::regular : Grids::none, carry_out, pass_on);
}

template <typename Count, typename PassOn>
int alltoall(const void* send, Count send_count, MPI_Datatype send_type, void* receive, Count receive_count,
             MPI_Datatype receive_type, MPI_Comm comm, PassOn&& pass_on) {
  CommunicatorState* const state = intercepted(comm);
  if (state == nullptr) return pass_on();
  const CallSize size = block_size(receive_count, receive_type);
  if (size.is_small() && send == receive && is_refused([&](MPI_Comm self) {
        return NEXT(MPI_Alltoall)(send, to_int(send_count), send_type, receive, to_int(receive_count),
                                  receive_type, self);
      })) {
    return pass_on();
  }
  const auto carry_out = [&](const Form& form) {
    collective::alltoall(send, send == MPI_IN_PLACE ? 0 : to_int(send_count), send_type, receive,
                         to_int(receive_count), receive_type, comm, form);
  };
  return decide(Operation::alltoall, *state, size, Grids::regular, carry_out, pass_on);
}

}  // namespace stretto::interpose
