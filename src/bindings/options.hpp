// SPDX-License-Identifier: BSD-3-Clause
// Options of the runtime as C has them, and back.
#pragma once

#include <stretto/stretto.h>

#include <stretto/options.hpp>

namespace stretto::bindings {

/// Throws ArgumentError for a number that stands for no progress mode or path.
[[nodiscard]] Options options_from(const stretto_options* options);
[[nodiscard]] stretto_options options_to_c(const Options& options);

}  // namespace stretto::bindings
