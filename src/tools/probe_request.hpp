// SPDX-License-Identifier: BSD-3-Clause
// The request of a native probe program. `stretto probe` writes the file; without Python a user can write
// it by hand.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "probe/settings.hpp"
#include "record/rows.hpp"

namespace stretto::tools {

struct ProbeRequest {
  probe::Settings settings;
  std::vector<std::string> command;  ///< command in the header; empty: the program's own
  std::filesystem::path output;
  std::string on = "local";
  std::string network;
  std::vector<std::string> preamble;  ///< encoded rows that follow the header
};

/// The parsed command line of a probe program.
struct ProbeCommandLine {
  ProbeRequest request;
  std::string machine;  ///< of the virtual program: docs/formats.md, "Known answers"
  int ranks = 2;        ///< of the virtual program; mpiexec chooses it otherwise
  std::string text;     ///< not empty: print this and exit
};

/// Throws std::invalid_argument with a line that names the error and its remedy. `transports`: those of
/// this program. `is_virtual`: accepts --machine and --ranks.
[[nodiscard]] ProbeCommandLine probe_command_line(int argc, char** argv,
                                                  const std::vector<std::string>& transports,
                                                  bool is_virtual);

/// The header of a samples file with this program, host and time.
[[nodiscard]] record::Header header_of(int argc, char** argv, const ProbeRequest& request);

}  // namespace stretto::tools
