// SPDX-License-Identifier: BSD-3-Clause
// The parameters of a virtual machine, and their form on a command line. run.hpp says what each parameter
// does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "known_answers/bursts.hpp"
#include "network/loggp.hpp"

namespace stretto::known_answers {

struct VirtualMachine {
  network::LogGp below;       ///< messages shorter than the break
  network::LogGp from_break;  ///< messages from the break on; their sends are by rendezvous
  std::size_t break_bytes = std::numeric_limits<std::size_t>::max();
  double overlap = 1;  ///< fraction of a transfer's wire time that progresses without calls, 0 to 1
  double steal = 0;    ///< fraction of the processor that moving messages take from computation, 0 to 1
  double noise = 0;    ///< relative standard deviation of a step's times
  std::uint64_t seed = 1;
  BurstShape bursts = {.every_s = 0, .shortest_s = 1e-3, .longest_s = 0.3};
  bool bursts_seen = true;  ///< whether the account of a rank's thread tells of them
  double work_s_per_count = 1e-9;

  [[nodiscard]] const network::LogGp& parameters(std::size_t size_bytes) const {
    return size_bytes < break_bytes ? below : from_break;
  }
};

/// Reads `KEY=VALUE,...` (docs/formats.md, "Known answers"). Absent keys are zero, except overlap=1, seed=1,
/// burst_min=1ms, burst_max=300ms, burst_seen=1 and work=1ns. Absent keys beyond the break take the values
/// below it. Throws std::invalid_argument with what is no setting. Values are not checked: tests give them.
[[nodiscard]] VirtualMachine virtual_machine_from(std::string_view spec);

}  // namespace stretto::known_answers
