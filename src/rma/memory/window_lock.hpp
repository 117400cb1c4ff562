// SPDX-License-Identifier: BSD-3-Clause
// One team at a time creates a window on a node, where the MPI needs it.
#pragma once

#include <mpi.h>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#define STRETTO_WINDOWS_IN_TURN
#endif

namespace stretto::rma {

/// Held by a team while it creates a window; collective over the team.
///
/// Open MPI before release 5 names the file behind a window after the job and the communicator's number,
/// and disjoint teams have the same number (its issue 9492): teams that create windows at once would map
/// each other's memory, or find the file removed. A lock on a file, one a node, keeps them apart. With
/// other MPIs this does nothing.
#ifdef STRETTO_WINDOWS_IN_TURN
class WindowTurn {
 public:
  explicit WindowTurn(MPI_Comm team);
  ~WindowTurn();
  WindowTurn(const WindowTurn&) = delete;
  WindowTurn& operator=(const WindowTurn&) = delete;

 private:
  int file_ = -1;  // of the one rank a node that holds the lock
};
#else
struct WindowTurn {
  explicit WindowTurn(MPI_Comm /*team*/) {}
};
#endif

}  // namespace stretto::rma
