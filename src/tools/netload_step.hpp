// SPDX-License-Identifier: BSD-3-Clause
// One timed step of two hosts: they agree on a start, then send, receive and compute, and the leader gets
// the time. Both are processes of one machine, so that CLOCK_MONOTONIC is the same for both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/work.hpp"
#include "tools/netload_link.hpp"

namespace stretto::tools {

/// The actions of both sides. Threads that sleep in the kernel move the data while the main thread
/// computes.
struct Step {
  std::uint64_t size_bytes = 0;    ///< from the leader to the follower; 0: nothing
  std::uint64_t answer_bytes = 0;  ///< from the follower to the leader at the same time
  std::uint64_t work_count = 0;    ///< on each of the two
  double start_s = 0.0;            ///< filled in by Leader
};

struct StepTime {
  double first_start_s = 0.0;
  double last_end_s = 0.0;
  double first_arrival_s = 0.0;   ///< of data at the follower
  double cpu_s = 0.0;             ///< of both processes
  double computing_s = 0.0;       ///< of the computation, the mean of both hosts
  std::uint64_t first_bytes = 0;  ///< the number of bytes in the first arrival

  [[nodiscard]] double elapsed_s() const { return last_end_s - first_start_s; }
};

class Leader {
 public:
  Leader(Link control, Link data, measure::Worker& worker);

  /// Runs the step on both hosts.
  [[nodiscard]] StepTime run(Step step);

 private:
  Link control_;
  Link data_;
  measure::Worker& worker_;
  std::vector<std::byte> buffer_;
};

/// Executes the leader's steps until the leader closes the connection.
void follow(const Link& control, const Link& data, measure::Worker& worker);

}  // namespace stretto::tools
