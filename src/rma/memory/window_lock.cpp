// SPDX-License-Identifier: BSD-3-Clause
#include "rma/memory/window_lock.hpp"

#ifdef STRETTO_WINDOW_CREATION_LOCKED
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "mpi/check.hpp"

namespace stretto::rma {

using mpi::check;

namespace {

using NodeName = std::array<char, 256>;

NodeName node_name() {
  NodeName name{};
  gethostname(name.data(), name.size() - 1);
  return name;
}

/// Whether this rank is the first of its team on its host.
bool leads(MPI_Comm team) {
  int rank = 0;
  int ranks = 0;
  check(MPI_Comm_rank(team, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(team, &ranks), "MPI_Comm_size");
  const NodeName mine = node_name();
  std::vector<NodeName> names(static_cast<std::size_t>(ranks));
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, names.data(), sizeof mine, MPI_BYTE, team),
        "MPI_Allgather");
  return std::find(names.begin(), names.end(), mine) == names.begin() + rank;
}

int open_lock() {
  const std::string name =
      std::string("/dev/shm/stretto-windows.") + node_name().data() + "." + std::to_string(getuid());
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) throw std::runtime_error("cannot open " + name + ": errno " + std::to_string(errno));
  return file;
}

bool try_lock(int file) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK || errno == EINTR) return false;
  throw std::runtime_error("cannot lock the windows' file of this node: errno " + std::to_string(errno));
}

}  // namespace

WindowCreationLock::WindowCreationLock(MPI_Comm team) {
  if (leads(team)) file_ = open_lock();
  int rank = 0;
  check(MPI_Comm_rank(team, &rank), "MPI_Comm_rank");
  // All nodes or none: teams that span nodes and wait for each other's locks would wait for ever.
  for (std::chrono::microseconds pause{100 + 37 * (rank % 8)};;
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

}  // namespace stretto::rma

#endif
