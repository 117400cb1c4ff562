// SPDX-License-Identifier: BSD-3-Clause
// Settings from environment variables, because ARMCI has no calls for them. docs/armci.md lists them.
#pragma once

#include <cstddef>
#include <stretto/options.hpp>
#include <string>

namespace stretto::armci {

/// The settings of an ARMCI program.
struct Settings {
  Options options;                                ///< of the runtime
  std::size_t heap_bytes = std::size_t{1} << 20;  ///< of each process, for ARMCI_Memget
};

/// The variables of this process that are set, one `NAME=VALUE` per line.
[[nodiscard]] std::string settings_in_environment();

/// Settings from lines of settings_in_environment(), with defaults for the others. Throws Refused with the
/// name of the variable and its valid values.
[[nodiscard]] Settings parse_settings(const std::string& lines);

}  // namespace stretto::armci
