// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace stretto::mpi {

/// The kernel ends this rank when its launcher ends. When several ranks call MPI_Abort at the same time,
/// MPICH's launcher may end first, and the ranks would wait for it forever.
inline void end_with_launcher() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

/// Aborts all ranks, after a delay in which the error message reaches the launcher: MPICH's sometimes loses
/// what a rank wrote just before.
inline void abort_all(MPI_Comm communicator, int status) {
  std::fflush(nullptr);
  end_with_launcher();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  MPI_Abort(communicator, status);
}

}  // namespace stretto::mpi
