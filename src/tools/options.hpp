// SPDX-License-Identifier: BSD-3-Clause
// The command line that the native probe programs share. They are launched by `stretto probe`, and can be
// run by hand where there is no Python.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "probe/settings.hpp"
#include "record/rows.hpp"

namespace stretto::tools {

struct Options {
  probe::Settings settings;
  std::filesystem::path output;
  std::string on = "local";
  std::string network;
  std::vector<std::string> preamble;  ///< encoded rows to stand after the header
  std::string machine;                ///< of the virtual program: docs/formats.md, "Known answers"
  int ranks = 2;                      ///< of the virtual program; elsewhere mpiexec says it
  std::string help;                   ///< not empty: print this and end
};

/// Throws std::invalid_argument with one line that names the option and the mend.
/// `transports`: those that this program has. `virtual_machine`: takes --machine and --ranks.
[[nodiscard]] Options options_from(int argc, char** argv, const std::vector<std::string>& transports,
                                   bool virtual_machine);

/// What every header says of this program, host and time.
[[nodiscard]] record::Header header_of(int argc, char** argv, const Options& options);

}  // namespace stretto::tools
