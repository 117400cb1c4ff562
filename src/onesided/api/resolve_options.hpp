// SPDX-License-Identifier: BSD-3-Clause
// Effective options from the requested ones, or an error that names the option.
#pragma once

#include <stretto/options.hpp>

#include "onesided/memory/node_sharing.hpp"
#include "onesided/path/choose_path.hpp"

namespace stretto::onesided {

/// Fills in the defaults and checks the ranges. Throws ArgumentError.
[[nodiscard]] Options resolve_options(Options options);

/// Throws ArgumentError `progress` where a progress thread is requested and MPI does not support one.
[[nodiscard]] Progress resolve_progress(const Options& options);

[[nodiscard]] PathRules resolve_path_rules(const Options& options, Progress progress,
                                           const SharingRules& sharing);

}  // namespace stretto::onesided
