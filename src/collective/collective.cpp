// SPDX-License-Identifier: BSD-3-Clause
// Executes a call in a given form. Where the grid does not support the call, all ranks execute it flat.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stretto/collective.hpp>
#include <type_traits>
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

/// Carries out a call: in two phases where it has their parameters, else by the flat operation `flat`, which
/// is MPI's function `name`.
template <typename Flat, typename... Parameters>
void execute(const std::optional<TwoPhaseCall>& call, void (*in_phases)(const TwoPhaseCall&, Parameters...),
             Flat FlatOperations::*flat, const char* name, MPI_Comm communicator, const Form& form,
             std::type_identity_t<Parameters>... arguments) {
  if (call) return in_phases(*call, arguments...);
  const FlatCall whole(form, communicator);
  check((whole.operations.*flat)(arguments..., whole.on), name);
}

/// The call where the grid supports it.
std::optional<TwoPhaseCall> call_if(bool supported, const std::optional<TwoPhaseCall>& call) {
  return supported ? call : std::nullopt;
}

}  // namespace

void broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator,
               const Form& form) {
  execute(rooted_call_of(form, communicator, count, type, root), two_phase::broadcast,
          &FlatOperations::broadcast, "MPI_Bcast", communicator, form, buffer, count, type, root);
}

void gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
            MPI_Datatype receive_type, int root, MPI_Comm communicator, const Form& form) {
  const bool at_root = !form.grid.is_flat() && is_root(communicator, root);
  const auto call = rooted_call_of(form, communicator, at_root ? receive_count : send_count,
                                   at_root ? receive_type : send_type, root);
  execute(call, two_phase::gather, &FlatOperations::gather, "MPI_Gather", communicator, form, send,
          send_count, send_type, receive, receive_count, receive_type, root);
}

void scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
             MPI_Datatype receive_type, int root, MPI_Comm communicator, const Form& form) {
  const bool at_root = !form.grid.is_flat() && is_root(communicator, root);
  const auto call = rooted_call_of(form, communicator, at_root ? send_count : receive_count,
                                   at_root ? send_type : receive_type, root);
  execute(call, two_phase::scatter, &FlatOperations::scatter, "MPI_Scatter", communicator, form, send,
          send_count, send_type, receive, receive_count, receive_type, root);
}

void reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm communicator, const Form& form) {
  const auto call = rooted_call_of(form, communicator, count, type, root);
  execute(call_if(call && keeps_order(*call, op), call), two_phase::reduce, &FlatOperations::reduce,
          "MPI_Reduce", communicator, form, send, receive, count, type, op, root);
}

void allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm communicator, const Form& form) {
  const auto call = call_of(form, communicator, count, type);
  execute(call_if(call && keeps_order(*call, op), call), two_phase::allreduce, &FlatOperations::allreduce,
          "MPI_Allreduce", communicator, form, send, receive, count, type, op);
}

void allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, MPI_Comm communicator, const Form& form) {
  execute(call_of(form, communicator, receive_count, receive_type), two_phase::allgather,
          &FlatOperations::allgather, "MPI_Allgather", communicator, form, send, send_count, send_type,
          receive, receive_count, receive_type);
}

bool allgatherv_on_grid(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const MPI_Aint* displacements, MPI_Datatype receive_type,
                        MPI_Comm communicator, const Form& form) {
  const int total = form.grid.is_flat() ? 0 : total_of(receive_counts, receive_type, communicator);
  const auto call = call_of(form, communicator, total, receive_type);
  if (!call || !call->is_regular()) return false;
  two_phase::allgatherv(*call, send, send_count, send_type, receive, receive_counts, displacements,
                        receive_type);
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
  execute(call_if(countable && call->is_regular() && commutes(op), call), two_phase::reduce_scatter,
          &FlatOperations::reduce_scatter, "MPI_Reduce_scatter_block", communicator, form, send, receive,
          receive_count, type, op);
}

void reduce_scatterv(const void* send, void* receive, const int* receive_counts, MPI_Datatype type, MPI_Op op,
                     MPI_Comm communicator, const Form& form) {
  const int total = form.grid.is_flat() ? 0 : total_of(receive_counts, type, communicator);
  const auto call = call_of(form, communicator, total, type);
  execute(call_if(call && call->is_regular() && commutes(op), call), two_phase::reduce_scatterv,
          &FlatOperations::reduce_scatterv, "MPI_Reduce_scatter", communicator, form, send, receive,
          receive_counts, type, op);
}

void alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
              MPI_Datatype receive_type, MPI_Comm communicator, const Form& form) {
  const auto call = call_of(form, communicator, receive_count, receive_type);
  execute(call_if(call && call->is_regular(), call), two_phase::alltoall, &FlatOperations::alltoall,
          "MPI_Alltoall", communicator, form, send, send_count, send_type, receive, receive_count,
          receive_type);
}

}  // namespace stretto::collective
