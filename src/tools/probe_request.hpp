// SPDX-License-Identifier: BSD-3-Clause
// What the native probe programs are asked for: a request file, which `stretto probe` makes and which can be
// written by hand where there is no Python.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "probe/settings.hpp"
#include "record/rows.hpp"

namespace stretto::tools {

struct ProbeRequest {
  probe::Settings settings;
  std::vector<std::string> command;  ///< of the header; empty: this program's own
  std::filesystem::path output;
  std::string on = "local";
  std::string network;
  std::vector<std::string> preamble;  ///< encoded rows to stand after the header
};

/// What the command line of a probe program says.
struct ProbeCommandLine {
  ProbeRequest request;
  std::string machine;  ///< of the virtual program: docs/formats.md, "Known answers"
  int ranks = 2;        ///< of the virtual program; elsewhere mpiexec says it
  std::string text;     ///< not empty: print this and end
};

/// Throws std::invalid_argument with one line that names what is wrong and the mend.
/// `transports`: those that this program has. `is_virtual`: takes --machine and --ranks.
[[nodiscard]] ProbeCommandLine probe_command_line(int argc, char** argv,
                                                  const std::vector<std::string>& transports,
                                                  bool is_virtual);

/// What every header says of this program, host and time.
[[nodiscard]] record::Header header_of(int argc, char** argv, const ProbeRequest& request);

}  // namespace stretto::tools
