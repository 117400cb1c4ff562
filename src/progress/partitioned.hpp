// SPDX-License-Identifier: BSD-3-Clause
// Keeps the progress thread out of MPI while the application starts partitioned operations or marks their
// parts ready. Open MPI 5 changes the state of these requests without a lock, and a poll at the same time
// reads and writes it: the operation may then never complete (open-mpi/ompi, pull request 12935). Knows no
// MPI.
#pragma once

#include <atomic>
#include <mutex>

namespace stretto::progress {

class Partitioned {
 public:
  /// The program has a partitioned request.
  void made() { exists_.store(true, std::memory_order_relaxed); }
  /// To be held in a call that changes such a request; holds nothing where there is none.
  [[nodiscard]] std::unique_lock<std::mutex> unpolled() {
    if (!exists_.load(std::memory_order_relaxed)) return {};
    return std::unique_lock(mutex_);
  }
  /// To be held in a poll; without it there is no poll.
  [[nodiscard]] std::unique_lock<std::mutex> try_poll() { return {mutex_, std::try_to_lock}; }

 private:
  std::atomic<bool> exists_{false};
  std::mutex mutex_;
};

/// The one of this process. Static storage without a constructor that runs: calls may come before it.
inline constinit Partitioned partitioned;

}  // namespace stretto::progress
