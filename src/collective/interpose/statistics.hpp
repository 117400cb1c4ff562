// SPDX-License-Identifier: BSD-3-Clause
// Statistics of intercepted calls: operations, the forms in which they were executed, and measured against
// predicted times.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "collective/decision.hpp"

namespace stretto::interpose {

/// Calls of one operation, number of ranks, size class and form.
struct CallClass {
  int operation = 0;
  int ranks = 0;
  int size_class = 0;
  int rows = 0;  ///< 0: flat
  int columns = 0;
  int segments = 1;

  friend auto operator<=>(const CallClass&, const CallClass&) = default;
};

struct CallCount {
  std::int64_t calls = 0;
  double time_s = 0;       ///< total time of all calls on this rank
  double fastest_s = 0;    ///< time of the fastest call, which waited least for late ranks
  double predicted_s = 0;  ///< predicted time of one call; 0: not predicted
  std::int64_t undecided = 0;
};

class Statistics {
 public:
  void add(collective::Operation operation, int ranks, std::uint64_t size_bytes,
           const collective::Decision& decision, double time_s);

  /// The statistics of all ranks as a table for users, at rank 0 of the communicator; elsewhere empty. Times
  /// are the mean time per call on the slowest rank. A line follows where `profile` no longer fits.
  /// Collective.
  [[nodiscard]] std::string table(MPI_Comm communicator, const std::string& profile);

 private:
  std::mutex mutex_;  // an application may have many threads in MPI
  std::map<CallClass, CallCount> counts_;
};

}  // namespace stretto::interpose
