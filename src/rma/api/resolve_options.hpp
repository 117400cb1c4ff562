// SPDX-License-Identifier: BSD-3-Clause
// Options as asked for become settings in force, or an error that names the option.
#pragma once

#include <stretto/options.hpp>

#include "rma/memory/node_sharing.hpp"
#include "rma/path/choose_path.hpp"

namespace stretto::rma {

/// Fills in what depends on the MPI library. Throws ArgumentError.
[[nodiscard]] Options settle_options(Options options);

/// Throws ArgumentError `progress` where a helper thread is asked for and MPI cannot have it.
[[nodiscard]] Progress settle_progress(const Options& options);

[[nodiscard]] PathRules settle_rules(const Options& options, Progress progress, const SharingRules& sharing);

}  // namespace stretto::rma
