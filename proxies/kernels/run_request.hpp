// SPDX-License-Identifier: BSD-3-Clause
// The request of stretto-run: a file, which `stretto run` writes. It does not depend on MPI.
#pragma once

#include <string>

#include "kernels/result.hpp"

namespace stretto::tools {

struct RunRequest {
  std::string kernel;
  kernel::Request request;
  std::string text;  ///< not empty: print this and exit
};

/// Throws std::invalid_argument with a line that names the error and its remedy.
[[nodiscard]] RunRequest run_request(int argc, char** argv);

}  // namespace stretto::tools
