// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace stretto::mpi {

/// Ends all ranks, once what was said of it can have reached the launcher: MPICH's sometimes loses what a
/// rank wrote right before.
inline void abort_all(MPI_Comm communicator, int status) {
  std::fflush(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  MPI_Abort(communicator, status);
}

}  // namespace stretto::mpi
