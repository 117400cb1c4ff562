// SPDX-License-Identifier: BSD-3-Clause
// Which calls may be executed in another form, and what MPI itself would refuse.
#include "collective/interpose/calls.hpp"
#include "collective/interpose/operations.hpp"

namespace stretto::interpose {

collective::CommunicatorState* intercepted(MPI_Comm communicator) {
  if (!CollectivesSession::instance().active() || in_other_form) return nullptr;
  if (communicator == MPI_COMM_NULL) return nullptr;
  int ranks = 0;
  // First, because a state becomes an attribute, and MPI_COMM_SELF must not have one of ours.
  if (PMPI_Comm_size(communicator, &ranks) != MPI_SUCCESS || ranks < 2) return nullptr;
  try {
    collective::CommunicatorState& state = collective::CommunicatorState::of(communicator);
    return state.is_inter() ? nullptr : &state;
  } catch (const mpi::MpiError&) {
    return nullptr;  // MPI reports it
  }
}

}  // namespace stretto::interpose
