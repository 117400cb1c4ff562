// SPDX-License-Identifier: BSD-3-Clause
// Settings from environment variables, because ARMCI has no calls for them. docs/armci.md has the names.
#pragma once

#include <cstddef>
#include <stretto/options.hpp>
#include <string>

namespace stretto::armci {

struct Settings {
  Options options;                                ///< of the runtime
  std::size_t heap_bytes = std::size_t{1} << 20;  ///< of each process, for ARMCI_Memget
};

/// The variables that are set, one `NAME=VALUE` a line.
[[nodiscard]] std::string settings_in_environment();

/// Settings from such lines. Throws Refused with the name of the variable and what it may be.
[[nodiscard]] Settings parse_settings(const std::string& lines);

}  // namespace stretto::armci
