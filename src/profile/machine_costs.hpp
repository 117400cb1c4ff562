// SPDX-License-Identifier: BSD-3-Clause
// What a profile's file says of one kind of transfer and of transforms: the believed values by which a
// schedule's time is predicted (docs/models.md). No intervals.
#pragma once

#include <filesystem>
#include <optional>

#include "network/profile_paths.hpp"

namespace stretto::profile {

struct MachineCosts {
  network::PathCosts path;
  double seconds_per_flop = 0;  ///< of transforms of nearly this length
};

/// Nothing where the profile lacks a parameter, or the rate of transforms. Throws std::runtime_error with one
/// line that names the file and the mend.
[[nodiscard]] std::optional<MachineCosts> read_machine_costs(const std::filesystem::path& file,
                                                             const network::TransferClass& transfers,
                                                             int ranks, std::size_t row_length);

}  // namespace stretto::profile
