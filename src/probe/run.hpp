// SPDX-License-Identifier: BSD-3-Clause
// One run: all asked probes over all asked transports, into one samples file.
#pragma once

#include <stretto/work.hpp>

#include <filesystem>
#include <memory>
#include <span>

#include "probe/settings.hpp"
#include "record/rows.hpp"
#include "transport/transport.hpp"

namespace stretto::probe {

struct RunOutcome {
  std::int64_t cases = 0;
  std::int64_t wrong = 0;  ///< transfers whose data was not what was sent (with check)
};

/// Collective. `surroundings` says where this runs (at rank 0); clock quality, cases and settings are filled in.
/// Throws std::invalid_argument when nothing is left to measure, std::system_error when `output` cannot be
/// created (at rank 0; elsewhere std::runtime_error).
[[nodiscard]] RunOutcome run_probes(const Settings& settings, measure::Team& team, measure::Worker& worker,
                                    std::span<transport::Transport* const> transports,
                                    record::Header surroundings, const std::filesystem::path& output);

}  // namespace stretto::probe
