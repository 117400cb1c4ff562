// SPDX-License-Identifier: BSD-3-Clause
// Bytes that moved while the program computed, for the statistics: those of requests that are complete when
// the program first waits for them or tests them. Only a run with statistics keeps a table of requests.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace stretto::progress {

class MovedBytes {
 public:
  /// A request for this much data was started, or made if it is persistent.
  void started(MPI_Request request, std::int64_t bytes, bool persistent);
  /// A persistent request was started.
  void restarted(MPI_Request request);
  /// The program begins to wait for these requests, or tests them.
  void queried(int count, const MPI_Request* requests);
  /// The program has given the request up.
  void freed(MPI_Request request);

  [[nodiscard]] std::int64_t started_bytes() const { return started_bytes_; }
  [[nodiscard]] std::int64_t moved_bytes() const { return moved_bytes_; }

 private:
  struct OpenRequest {
    std::int64_t bytes = 0;
    bool persistent = false;
    bool queried = false;
  };

  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, OpenRequest> transfers_;
  std::int64_t started_bytes_ = 0;
  std::int64_t moved_bytes_ = 0;
};

/// The one of this process; never destroyed, because calls may come late.
MovedBytes& moved_bytes();

/// The bytes of `count` elements.
[[nodiscard]] std::int64_t bytes_of(std::int64_t count, MPI_Datatype type);
/// The bytes of `count` elements for each rank of the communicator.
[[nodiscard]] std::int64_t bytes_of_all(std::int64_t count, MPI_Datatype type, MPI_Comm communicator);

}  // namespace stretto::progress
