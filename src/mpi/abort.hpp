// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace stretto::mpi {

/// Aborts all ranks, after a delay in which the error message reaches the launcher: MPICH's sometimes loses
/// what a rank wrote just before.
inline void abort_all(MPI_Comm communicator, int status) {
  std::fflush(nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  MPI_Abort(communicator, status);
}

}  // namespace stretto::mpi
