// SPDX-License-Identifier: BSD-3-Clause
// What other programs take from the ranks: processor time of a rank, and cores of its machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace stretto::measure {

/// The operating system's account of the calling thread. Its members only grow.
struct ProcessorAccount {
  double waited_s = 0;         ///< time in which it could run, and did not
  double other_threads_s = 0;  ///< processor time of the other threads of its process
  double used_s = 0;           ///< processor time of its process
  std::int64_t switches = 0;   ///< involuntary context switches
};

/// What other programs took from a rank between two readings.
struct Preemption {
  double lost_s = 0;
  double used_s = 0;  ///< processor time of the rank's process
  std::int64_t switches = 0;
};

/// The wait for threads of the rank's own process, such as a progress thread, belongs to what is measured.
[[nodiscard]] inline Preemption between(const ProcessorAccount& before, const ProcessorAccount& after) {
  const double waited_s = after.waited_s - before.waited_s;
  const double own_s = after.other_threads_s - before.other_threads_s;
  return {.lost_s = std::max(0.0, waited_s - own_s),
          .used_s = after.used_s - before.used_s,
          .switches = after.switches - before.switches};
}

/// The largest of all ranks of a step of `time_s`. Ranks that share `cores` (0: each has its own) wait for
/// each other, too. While half of the cores is idle, such waits are short and belong to the step.
[[nodiscard]] inline Preemption largest(std::span<const Preemption> ranks, double time_s, int cores) {
  constexpr double max_use = 0.5;
  Preemption found;
  for (const Preemption& rank : ranks) found.used_s += rank.used_s;
  const bool half_idle = found.used_s <= max_use * cores * time_s;
  for (const Preemption& rank : ranks) {
    const double others_s = half_idle ? found.used_s - rank.used_s : 0;
    found.lost_s = std::max(found.lost_s, rank.lost_s - others_s);
    found.switches = std::max(found.switches, rank.switches);
  }
  return found;
}

/// Whether a step of `time_s` in which a rank lost `lost_s` says less about the rank than about others. Two
/// percent move an overlap by less than its usual noise. Kernel threads take some microseconds everywhere.
[[nodiscard]] inline bool is_disturbed(double time_s, double lost_s) {
  constexpr double min_share = 0.02;
  constexpr double min_s = 10e-6;
  return lost_s > std::max(min_share * time_s, min_s);
}

/// The account of a machine, and what one rank contributes to it. All members that end in `_s` only grow.
struct HostActivity {
  std::uint64_t machine = 0;  ///< equal for ranks that share a kernel
  double now_s = 0;           ///< this machine's own clock
  double busy_s = 0;          ///< of all cores together
  double stolen_s = 0;        ///< what the hypervisor did not give, of all cores together
  double waiting_s = 0;       ///< time in which at least one task waited for a core (PSI)
  double own_s = 0;           ///< processor time of this rank's process
  int cores = 0;
  int runnable = 0;  ///< tasks that run or wait for a core now
};

}  // namespace stretto::measure
