// SPDX-License-Identifier: BSD-3-Clause
// Lets one team at a time create a window on a node, where the MPI needs that.
#pragma once

#include <mpi.h>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#define STRETTO_WINDOW_CREATION_LOCKED
#endif

namespace stretto::onesided {

#ifdef STRETTO_WINDOW_CREATION_LOCKED

/// What the teams of a node lock. Every rank has opened it by itself.
///
/// It is Open MPI's own directory of the job, which its launcher makes for the user alone; so all runtimes of
/// a job exclude each other. Where there is none, it is a file with a random name, which the first rank of
/// each node makes, and which is gone from its directory once all have opened it: the runtimes of a job then
/// exclude each other only within themselves. Neither can be taken by another user.
class WindowLockFile {
 public:
  /// Collective.
  explicit WindowLockFile(MPI_Comm communicator);
  WindowLockFile(const WindowLockFile&) = delete;
  WindowLockFile& operator=(const WindowLockFile&) = delete;
  ~WindowLockFile();

  [[nodiscard]] int get() const { return file_; }

 private:
  void open_random(MPI_Comm communicator);

  int file_ = -1;
};

/// A team holds it while it creates a window. Collective over the team.
///
/// Open MPI before release 5 names the file behind a window after the job and the communicator's number,
/// which disjoint teams share (its issue 9492). Teams that create windows at once would map each other's
/// memory, or find the file removed. A file lock on each node excludes that. With other MPIs this does
/// nothing.
class WindowCreationLock {
 public:
  WindowCreationLock(MPI_Comm team, const WindowLockFile& file);
  ~WindowCreationLock();
  WindowCreationLock(const WindowCreationLock&) = delete;
  WindowCreationLock& operator=(const WindowCreationLock&) = delete;

 private:
  int file_ = -1;  // of the one rank of each node that holds the lock
};

#else

struct WindowLockFile {
  explicit WindowLockFile(MPI_Comm /*communicator*/) {}
};
struct WindowCreationLock {
  WindowCreationLock(MPI_Comm /*team*/, const WindowLockFile& /*file*/) {}
};

#endif

}  // namespace stretto::onesided
