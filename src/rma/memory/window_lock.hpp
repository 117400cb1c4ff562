// SPDX-License-Identifier: BSD-3-Clause
// Lets one team at a time create a window on a node, where the MPI needs that.
#pragma once

#include <mpi.h>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#define STRETTO_WINDOW_CREATION_LOCKED
#endif

namespace stretto::rma {

/// A team holds it while it creates a window. Collective over the team.
///
/// Open MPI before release 5 names the file behind a window after the job and the communicator's number,
/// which disjoint teams share (its issue 9492). Teams that create windows at once would map each other's
/// memory, or find the file removed. A file lock on each node excludes that. With other MPIs this does
/// nothing.
#ifdef STRETTO_WINDOW_CREATION_LOCKED
class WindowCreationLock {
 public:
  explicit WindowCreationLock(MPI_Comm team);
  ~WindowCreationLock();
  WindowCreationLock(const WindowCreationLock&) = delete;
  WindowCreationLock& operator=(const WindowCreationLock&) = delete;

 private:
  int file_ = -1;  // of the one rank of each node that holds the lock
};
#else
struct WindowCreationLock {
  explicit WindowCreationLock(MPI_Comm /*team*/) {}
};
#endif

}  // namespace stretto::rma
