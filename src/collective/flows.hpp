// SPDX-License-Identifier: BSD-3-Clause
// Programs of ranks in time: overheads one after the other, and messages that share links fairly (LogGP, with
// the links of the messages).
#pragma once

#include "collective/links.hpp"
#include "collective/programs.hpp"

namespace stretto::collective {

/// What a message takes: its sender o; it is on its way L later, moves with its share of its links, and takes
/// its receiver o again. One up to the eager limit goes as soon as it is handed over; a larger one when its
/// receiver is there, too, and its sender waits for its arrival (rendezvous).
struct Machine {
  double overhead_s = 0;
  double latency_s = 0;
  double gap_s_per_byte = 0;
  double eager_limit_bytes = 0;
  Torus torus;

  friend auto operator<=>(const Machine&, const Machine&) = default;
};

/// Until the last rank is done, all having begun at 0. Throws std::logic_error where they wait for ever.
[[nodiscard]] double makespan_s(const Programs& programs, const Machine& machine);

}  // namespace stretto::collective
