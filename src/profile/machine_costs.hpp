// SPDX-License-Identifier: BSD-3-Clause
// The parameters in a profile for one kind of transfer and for transforms, from which a schedule's time is
// predicted (docs/models.md). Point estimates without intervals.
#pragma once

#include <filesystem>
#include <optional>

#include "network/profile_paths.hpp"

namespace stretto::profile {

struct MachineCosts {
  network::PathCosts path;
  double seconds_per_flop = 0;  ///< for transforms of the nearest length
};

/// Reads the costs; empty where the profile lacks a parameter or the rate of transforms. Throws
/// std::runtime_error with one line that names the file and how to correct it.
[[nodiscard]] std::optional<MachineCosts> read_machine_costs(const std::filesystem::path& file,
                                                             const network::TransferClass& transfers,
                                                             int ranks, std::size_t row_length);

}  // namespace stretto::profile
