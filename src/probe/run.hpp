// SPDX-License-Identifier: BSD-3-Clause
// One run: all requested probes over all requested transports, into one samples file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "measure/work.hpp"
#include "probe/settings.hpp"
#include "record/rows.hpp"

namespace stretto::probe {

class Collectives;
class NonblockingCollectives;

struct RunOutcome {
  std::int64_t cases = 0;
  std::int64_t wrong = 0;  ///< transfers that did not deliver what was sent (with check)
};

/// What is known of the environment before the run starts. Collectives serve on all ranks.
struct RunEnvironment {
  record::Header header;               ///< clock quality, ranks, cases and settings are filled in by the run
  std::vector<std::string> preamble;   ///< encoded rows that follow the header
  Collectives* collectives = nullptr;  ///< null where there is no MPI
  NonblockingCollectives* nonblocking = nullptr;  ///< null where there is none
  std::vector<record::Skipped> skipped = {};      ///< what the program cannot do here; on all ranks
};

/// Runs all probes. Collective. `environment` is used at rank 0 only. Throws std::invalid_argument when
/// there is nothing to measure, and std::system_error when `output` cannot be created (std::runtime_error
/// on ranks other than 0).
[[nodiscard]] RunOutcome run_probes(const Settings& settings, measure::Team& team, measure::Worker& worker,
                                    std::span<exchange::Channel* const> transports,
                                    RunEnvironment environment, const std::filesystem::path& output);

}  // namespace stretto::probe
