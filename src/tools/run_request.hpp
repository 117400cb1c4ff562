// SPDX-License-Identifier: BSD-3-Clause
// What stretto-run is to do: a request file, which `stretto run` makes. Knows no MPI.
#pragma once

#include <string>

#include "kernel/result.hpp"

namespace stretto::tools {

struct RunRequest {
  std::string kernel;
  kernel::Request request;
  std::string text;  ///< not empty: print this and end
};

/// Throws std::invalid_argument with one line that names what is wrong and the mend.
[[nodiscard]] RunRequest run_request(int argc, char** argv);

}  // namespace stretto::tools
