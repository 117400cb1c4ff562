// SPDX-License-Identifier: BSD-3-Clause
// A machine that exists only as numbers, and how it is written on a command line. What the numbers do:
// run.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "network/loggp.hpp"

namespace stretto::exchange {

struct VirtualMachine {
  network::LogGp below;       ///< messages shorter than the break
  network::LogGp from_break;  ///< the others; their sends are by rendezvous
  std::size_t break_bytes = std::numeric_limits<std::size_t>::max();
  double overlap = 1;  ///< fraction of a transfer's time on the wire that passes by itself, 0 to 1
  double steal = 0;    ///< fraction of the processor that moving messages take from work, 0 to 1
  double noise = 0;    ///< relative standard deviation of a step's times
  std::uint64_t seed = 1;
  double work_s_per_count = 1e-9;

  [[nodiscard]] const network::LogGp& parameters(std::size_t size_bytes) const {
    return size_bytes < break_bytes ? below : from_break;
  }
};

/// Reads `KEY=VALUE,...` (docs/formats.md, "Known answers"). What is not said is zero, but overlap=1, seed=1,
/// work=1ns, and beyond the break what holds below it. Throws std::invalid_argument with one line that
/// names the key and the mend.
[[nodiscard]] VirtualMachine virtual_machine_from(std::string_view spec);

}  // namespace stretto::exchange
