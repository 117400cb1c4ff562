// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/memory/window_lock.hpp"

#ifdef STRETTO_WINDOW_CREATION_LOCKED
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "onesided/api/agreement.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

using NodeName = std::array<char, 256>;
using FileName = std::array<char, 80>;

NodeName node_name() {
  NodeName name{};
  gethostname(name.data(), name.size() - 1);
  return name;
}

/// The first rank of the team on this rank's host.
int leader(MPI_Comm team) {
  int ranks = 0;
  check(MPI_Comm_size(team, &ranks), "MPI_Comm_size");
  const NodeName mine = node_name();
  std::vector<NodeName> names(static_cast<std::size_t>(ranks));
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, names.data(), sizeof mine, MPI_BYTE, team),
        "MPI_Allgather");
  return static_cast<int>(std::find(names.begin(), names.end(), mine) - names.begin());
}

/// Whether the open file is of this kind, is this user's, and can be changed by no other.
bool is_own(int file, mode_t kind) {
  struct stat status {};
  return fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == kind && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Opens a file that must be this user's. Returns -1 where there is none.
int open_own(const char* name, int flags, mode_t kind) {
  const int file = ::open(name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0 && is_own(file, kind)) return file;
  if (file >= 0) ::close(file);
  return -1;
}

/// Open MPI's directory of this job on this node; -1 where the launcher has made none.
int open_job_directory() {
  const char* const name = std::getenv("OMPI_MCA_orte_jobfam_session_dir");
  if (name == nullptr || name[0] != '/') return -1;
  return open_own(name, O_RDONLY | O_DIRECTORY, S_IFDIR);
}

FileName random_name() {
  std::array<unsigned char, 16> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    throw std::runtime_error("the kernel gives no random numbers: errno " + std::to_string(errno));
  }
  FileName name{};
  int used = std::snprintf(name.data(), name.size(), "/dev/shm/stretto-windows.");
  for (const unsigned char byte : random) {
    used += std::snprintf(name.data() + used, name.size() - static_cast<std::size_t>(used), "%02x", byte);
  }
  return name;
}

/// Opened for one lock: what two threads of a process open once, they would lock together.
int opened_again(int file) {
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  const int again = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (again < 0) throw std::runtime_error("cannot open " + name + ": errno " + std::to_string(errno));
  return again;
}

bool try_lock(int file) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  throw std::runtime_error("cannot lock the windows' file of this node: errno " + std::to_string(errno));
}

struct Unlinked {
  const char* name;
  ~Unlinked() {
    if (name != nullptr) ::unlink(name);
  }
};

}  // namespace

WindowLockFile::WindowLockFile(MPI_Comm communicator) {
  file_ = open_job_directory();
  int all_have = file_ >= 0 ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  if (all_have != 0) return;
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  try {
    open_random(communicator);
  } catch (const std::exception&) {
    if (file_ >= 0) ::close(file_);
    throw;
  }
}

void WindowLockFile::open_random(MPI_Comm communicator) {
  const int first = leader(communicator);
  const int rank = mpi::rank_in(communicator);
  int ranks = 0;
  check(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  FileName own{};
  agree(communicator, [&] {
    if (rank != first) return;
    own = random_name();
    file_ = open_own(own.data(), O_RDWR | O_CREAT | O_EXCL, S_IFREG);
    if (file_ < 0) throw std::runtime_error(std::string("cannot create ") + own.data());
  });
  std::vector<FileName> names(static_cast<std::size_t>(ranks));
  check(MPI_Allgather(&own, sizeof own, MPI_BYTE, names.data(), sizeof own, MPI_BYTE, communicator),
        "MPI_Allgather");
  const Unlinked unlinked{rank == first ? own.data() : nullptr};  // once all have opened it, or failed
  agree(communicator, [&] {
    if (rank == first) return;
    const char* const name = names[static_cast<std::size_t>(first)].data();
    file_ = open_own(name, O_RDWR, S_IFREG);
    if (file_ < 0) throw std::runtime_error(std::string("cannot open ") + name);
  });
}

WindowLockFile::~WindowLockFile() {
  if (file_ >= 0) ::close(file_);
}

WindowCreationLock::WindowCreationLock(MPI_Comm team, const WindowLockFile& file) {
  if (leader(team) == mpi::rank_in(team)) file_ = opened_again(file.get());
  // All nodes or none: teams that span nodes and wait for each other's locks would wait for ever.
  for (std::chrono::microseconds pause{100 + 37 * (mpi::rank_in(team) % 8)};;
       pause = std::min(2 * pause, std::chrono::microseconds{10'000})) {
    const bool mine = file_ < 0 || try_lock(file_);
    int all = mine ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, team), "MPI_Allreduce");
    if (all != 0) return;
    if (file_ >= 0 && mine) flock(file_, LOCK_UN);
    std::this_thread::sleep_for(pause);
  }
}

WindowCreationLock::~WindowCreationLock() {
  if (file_ >= 0) ::close(file_);  // and with it the lock
}

}  // namespace stretto::onesided

#endif
