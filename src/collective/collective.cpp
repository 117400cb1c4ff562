// SPDX-License-Identifier: BSD-3-Clause
// Executes a call in a given form. Where the grid does not support the call, all ranks execute it flat.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stretto/collective.hpp>
#include <vector>

#include "collective/memory.hpp"
#include "collective/two_phase.hpp"
#include "mpi/check.hpp"

namespace stretto::collective {
namespace {

using mpi::check;

/// The flat operations and the communicator to use: the reference algorithms need an intracommunicator that
/// stretto owns.
struct FlatCall {
  FlatCall(const Form& form, MPI_Comm communicator)
      : operations(flat_operations(Algorithm::library)), on(communicator) {
    if (form.algorithm == Algorithm::library) return;
    CommunicatorState& state = CommunicatorState::of(communicator);
    if (state.is_inter()) return;
    operations = flat_operations(form.algorithm);
    on = state.internal_communicator();
  }

  FlatOperations operations;
  MPI_Comm on;
};

/// The parameters of a two-phase call; empty where the call is flat: no grid, no data, or an
/// intercommunicator.
std::optional<TwoPhaseCall> call_of(const Form& form, MPI_Comm communicator, int count, MPI_Datatype type) {
  if (form.grid.is_flat()) return {};
  CommunicatorState& state = CommunicatorState::of(communicator);
  if (state.is_inter()) return {};  // where other arguments are significant
  if (count < 1 || type == MPI_DATATYPE_NULL || size_of(count, type) == 0) return {};
  (void)state.groups(form.grid);  // throws for a grid that does not match the number of ranks
  return TwoPhaseCall{.state = state,
                      .grid = form.grid,
                      .flat = flat_operations(form.algorithm),
                      .segments = std::max(form.segments, 1)};
}

/// The same for a rooted call. The library reports an invalid root.
std::optional<TwoPhaseCall> rooted_call_of(const Form& form, MPI_Comm communicator, int count,
                                           MPI_Datatype type, int root) {
  auto call = call_of(form, communicator, count, type);
  if (call && (root < 0 || root >= call->state.size())) return {};
  return call;
}

bool is_root(MPI_Comm communicator, int root) {
  const CommunicatorState& state = CommunicatorState::of(communicator);
  return !state.is_inter() && state.rank() == root;
}

/// The total number of elements of all ranks; 0 where these have more bytes than int can count. MPI makes the
/// bytes equal on all ranks, and neither counts nor types.
int total_of(const int* counts, MPI_Datatype type, MPI_Comm communicator) {
  const CommunicatorState& state = CommunicatorState::of(communicator);
  if (state.is_inter() || type == MPI_DATATYPE_NULL) return 0;
  const std::int64_t total = std::accumulate(counts, counts + state.size(), std::int64_t{0});
  if (total < 1 || size_of(total, type) > std::numeric_limits<int>::max()) return 0;
  return static_cast<int>(std::min<std::int64_t>(total, std::numeric_limits<int>::max()));
}

}  // namespace

void broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator,
               const Form& form) {
  if (const auto call = rooted_call_of(form, communicator, count, type, root)) {
    broadcast(*call, buffer, count, type, root);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.broadcast(buffer, count, type, root, flat.on), "MPI_Bcast");
}

void gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
            MPI_Datatype receive_type, int root, MPI_Comm communicator, const Form& form) {
  const bool at_root = !form.grid.is_flat() && is_root(communicator, root);
  if (const auto call = rooted_call_of(form, communicator, at_root ? receive_count : send_count,
                                       at_root ? receive_type : send_type, root)) {
    gather(*call, send, send_count, send_type, receive, receive_count, receive_type, root);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.gather(send, send_count, send_type, receive, receive_count, receive_type, root,
                               flat.on),
        "MPI_Gather");
}

void scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
             MPI_Datatype receive_type, int root, MPI_Comm communicator, const Form& form) {
  const bool at_root = !form.grid.is_flat() && is_root(communicator, root);
  if (const auto call = rooted_call_of(form, communicator, at_root ? send_count : receive_count,
                                       at_root ? send_type : receive_type, root)) {
    scatter(*call, send, send_count, send_type, receive, receive_count, receive_type, root);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.scatter(send, send_count, send_type, receive, receive_count, receive_type, root,
                                flat.on),
        "MPI_Scatter");
}

void reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm communicator, const Form& form) {
  const auto call = rooted_call_of(form, communicator, count, type, root);
  if (call && keeps_order(*call, op)) {
    reduce(*call, send, receive, count, type, op, root);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.reduce(send, receive, count, type, op, root, flat.on), "MPI_Reduce");
}

void allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm communicator, const Form& form) {
  const auto call = call_of(form, communicator, count, type);
  if (call && keeps_order(*call, op)) {
    allreduce(*call, send, receive, count, type, op);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.allreduce(send, receive, count, type, op, flat.on), "MPI_Allreduce");
}

void allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, MPI_Comm communicator, const Form& form) {
  if (const auto call = call_of(form, communicator, receive_count, receive_type)) {
    allgather(*call, send, send_count, send_type, receive, receive_count, receive_type);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.allgather(send, send_count, send_type, receive, receive_count, receive_type, flat.on),
        "MPI_Allgather");
}

bool allgatherv_on_grid(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const MPI_Aint* displacements, MPI_Datatype receive_type,
                        MPI_Comm communicator, const Form& form) {
  const int total = form.grid.is_flat() ? 0 : total_of(receive_counts, receive_type, communicator);
  const auto call = call_of(form, communicator, total, receive_type);
  if (!call || !call->is_regular()) return false;
  allgatherv(*call, send, send_count, send_type, receive, receive_counts, displacements, receive_type);
  return true;
}

void allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                const int* receive_counts, const int* displacements, MPI_Datatype receive_type,
                MPI_Comm communicator, const Form& form) {
  std::vector<MPI_Aint> places;
  if (!form.grid.is_flat() && !CommunicatorState::of(communicator).is_inter()) {
    places.assign(displacements, displacements + CommunicatorState::of(communicator).size());
  }
  if (allgatherv_on_grid(send, send_count, send_type, receive, receive_counts, places.data(), receive_type,
                         communicator, form)) {
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.allgatherv(send, send_count, send_type, receive, receive_counts, displacements,
                                   receive_type, flat.on),
        "MPI_Allgatherv");
}

void reduce_scatter(const void* send, void* receive, int receive_count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm communicator, const Form& form) {
  const auto call = call_of(form, communicator, receive_count, type);
  const bool countable =
      call && std::int64_t{receive_count} * call->grid.columns <= std::numeric_limits<int>::max();
  if (countable && call->is_regular() && commutes(op)) {
    reduce_scatter(*call, send, receive, receive_count, type, op);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.reduce_scatter(send, receive, receive_count, type, op, flat.on),
        "MPI_Reduce_scatter_block");
}

void reduce_scatterv(const void* send, void* receive, const int* receive_counts, MPI_Datatype type, MPI_Op op,
                     MPI_Comm communicator, const Form& form) {
  const int total = form.grid.is_flat() ? 0 : total_of(receive_counts, type, communicator);
  const auto call = call_of(form, communicator, total, type);
  if (call && call->is_regular() && commutes(op)) {
    reduce_scatterv(*call, send, receive, receive_counts, type, op);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.reduce_scatterv(send, receive, receive_counts, type, op, flat.on),
        "MPI_Reduce_scatter");
}

void alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
              MPI_Datatype receive_type, MPI_Comm communicator, const Form& form) {
  const auto call = call_of(form, communicator, receive_count, receive_type);
  if (call && call->is_regular()) {
    alltoall(*call, send, send_count, send_type, receive, receive_count, receive_type);
    return;
  }
  const FlatCall flat(form, communicator);
  check(flat.operations.alltoall(send, send_count, send_type, receive, receive_count, receive_type, flat.on),
        "MPI_Alltoall");
}

}  // namespace stretto::collective
