// SPDX-License-Identifier: BSD-3-Clause
// The runtime's options from the environment, for programs that cannot give them: docs/armci.md has the
// names.
#pragma once

#include <stretto/options.hpp>
#include <string>

namespace stretto::armci {

/// The variables that are set, one `NAME=VALUE` a line.
[[nodiscard]] std::string options_in_environment();

/// Options from such lines. Throws Refused with the name of the variable and what it may be.
[[nodiscard]] Options parse_options(const std::string& lines);

}  // namespace stretto::armci
