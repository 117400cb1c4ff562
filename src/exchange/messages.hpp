// SPDX-License-Identifier: BSD-3-Clause
// Calls of two-sided MPI that the message-based channels and exchanges share.
#pragma once

#include <mpi.h>

#include <span>

#include "mpi/check.hpp"
#include "mpi/count.hpp"

namespace stretto::exchange {

/// The tag of the transfers of message-based channels, each of which has a communicator of its own.
inline constexpr int transfer_tag = 0;

inline void start_send(const void* from, int count, MPI_Datatype type, int target, int tag,
                       MPI_Comm communicator, MPI_Request& request) {
  mpi::check(MPI_Isend(from, count, type, target, tag, communicator, &request), "MPI_Isend");
}

inline void start_receive(void* to, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator,
                          MPI_Request& request) {
  mpi::check(MPI_Irecv(to, count, type, source, tag, communicator, &request), "MPI_Irecv");
}

inline void wait_for(MPI_Request& request) { mpi::check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait"); }

inline void wait_for_all(std::span<MPI_Request> requests) {
  mpi::check(
      MPI_Waitall(mpi::count_of(requests.size(), "messages at once"), requests.data(), MPI_STATUSES_IGNORE),
      "MPI_Waitall");
}

/// Whether all requests are complete. The call makes MPI progress.
inline bool test_all(std::span<MPI_Request> requests) {
  int done = 0;
  mpi::check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
             "MPI_Testall");
  return done != 0;
}

}  // namespace stretto::exchange
