// SPDX-License-Identifier: BSD-3-Clause
// Which operations were called, in which form they were carried out, and how long that took against what was
// predicted.
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

/// Calls of one operation on so many ranks, of one class of sizes, in one form.
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
  double time_s = 0;       ///< of all calls on this rank
  double predicted_s = 0;  ///< of one call; 0 where there was no prediction
  std::int64_t undecided = 0;
};

class Statistics {
 public:
  void add(collective::Operation operation, int ranks, std::uint64_t size_bytes,
           const collective::Decision& decision, double time_s);

  /// All ranks' at rank 0 of the communicator, as a table for people; elsewhere empty. Time: the mean call on
  /// the rank on which it is longest. Collective.
  [[nodiscard]] std::string table(MPI_Comm communicator);

 private:
  std::mutex mutex_;  // an application may have many threads in MPI
  std::map<CallClass, CallCount> counts_;
};

}  // namespace stretto::interpose
