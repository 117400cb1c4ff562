// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking operations: those in two phases run on a stack of their own, flat ones start at once.
#include <stdexcept>
#include <stretto/collective.hpp>
#include <stretto/collective_nonblocking.hpp>
#include <utility>

#include "collective/started_operation.hpp"
#include "collective/two_phase.hpp"

namespace stretto::collective {
namespace {

/// Starts `operation`, a call of a blocking function. What only whole ranks may do, creating the groups of a
/// grid, happens here. A flat operation uses the caller's communicator, and so it starts in the caller's
/// order.
template <typename Call>
PendingCollective start(MPI_Comm communicator, const Form& form, Call&& operation) {
#ifdef STRETTO_SIMGRID
  throw std::invalid_argument(
      "nonblocking collectives are not simulated: ranks run on stacks of the simulator");
#endif
  if (form.algorithm != Algorithm::library) {
    throw std::invalid_argument("a nonblocking collective has the algorithms of the MPI library only");
  }
  if (form.grid.is_flat()) {
    auto flat = std::make_shared<detail::StartedOperation>(std::forward<Call>(operation));
    flat->resume();
    return PendingCollective(std::move(flat));
  }
  CommunicatorState& state = CommunicatorState::of(communicator);
  if (!state.is_inter()) {
    (void)state.groups(form.grid);
    if (!form.grid.is_regular(state.size())) (void)state.internal_communicator();
  }
  return PendingCollective(detail::start(communicator, std::forward<Call>(operation)));
}

void advance(detail::StartedOperation& operation) {
  detail::progress_all();
  if (!operation.is_queued()) operation.resume();
}

}  // namespace

PendingCollective::PendingCollective(std::shared_ptr<detail::StartedOperation> operation)
    : operation_(std::move(operation)) {}

PendingCollective& PendingCollective::operator=(PendingCollective&& other) noexcept {
  if (operation_) wait();
  operation_ = std::move(other.operation_);
  return *this;
}

PendingCollective::~PendingCollective() {
  while (operation_ && !operation_->is_complete()) advance(*operation_);
}

bool PendingCollective::test() {
  advance(*operation_);
  if (!operation_->is_complete()) return false;
  operation_->rethrow();
  return true;
}

void PendingCollective::wait() {
  while (!test()) {
  }
}

PendingCollective start_broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator,
                                  const Form& form) {
  return start(communicator, form, [=] { broadcast(buffer, count, type, root, communicator, form); });
}

PendingCollective start_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                               int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator,
                               const Form& form) {
  return start(communicator, form, [=] {
    gather(send, send_count, send_type, receive, receive_count, receive_type, root, communicator, form);
  });
}

PendingCollective start_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator,
                                const Form& form) {
  return start(communicator, form, [=] {
    scatter(send, send_count, send_type, receive, receive_count, receive_type, root, communicator, form);
  });
}

PendingCollective start_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                               int root, MPI_Comm communicator, const Form& form) {
  return start(communicator, form, [=] { reduce(send, receive, count, type, op, root, communicator, form); });
}

PendingCollective start_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm communicator, const Form& form) {
  return start(communicator, form, [=] { allreduce(send, receive, count, type, op, communicator, form); });
}

PendingCollective start_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                  int receive_count, MPI_Datatype receive_type, MPI_Comm communicator,
                                  const Form& form) {
  return start(communicator, form, [=] {
    allgather(send, send_count, send_type, receive, receive_count, receive_type, communicator, form);
  });
}

PendingCollective start_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   const int* receive_counts, const int* displacements,
                                   MPI_Datatype receive_type, MPI_Comm communicator, const Form& form) {
  return start(communicator, form, [=] {
    allgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type,
               communicator, form);
  });
}

}  // namespace stretto::collective
