// SPDX-License-Identifier: BSD-3-Clause
// The rounds of a wait. The caller polls in each of them; this yields the processor while nothing moves,
// reports after a while which rank the wait is for, and gives up after a timeout, or where the program's
// check says so. Knows no MPI.
#pragma once

#include <chrono>
#include <string>

namespace stretto::onesided {

/// When a wait reports and when it gives up. Its message names `rank`, which waits, and ends with `context`.
struct WaitLimits {
  double report_after_s = 0;  // 0: never
  double timeout_s = 0;       // 0: never
  int rank = 0;
  std::string context;
};

class WaitLoop {
 public:
  /// `what` is a noun for messages; `target` is the rank that must answer, -1: all. `limits` must outlive the
  /// loop.
  WaitLoop(const WaitLimits& limits, const char* what, int target)
      : limits_(limits), what_(what), target_(target) {}

  /// Ends a round, in which a poll has moved something or not. Throws TimeoutError and InterruptedError.
  void end_round(bool progressed);

 private:
  void check_clock();

  const WaitLimits& limits_;
  const char* what_;
  int target_;
  unsigned rounds_ = 0;
  bool reported_ = false;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point checked_;  // last by the program
};

}  // namespace stretto::onesided
