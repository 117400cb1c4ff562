// SPDX-License-Identifier: BSD-3-Clause
// The output of stretto-run. It does not depend on MPI, so that it is compiled once.
#pragma once

#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace stretto::tools {

/// One JSON document in one line: the request, its results, and the kernel's own members.
[[nodiscard]] std::string run_document(std::string_view kernel, const kernel::Request& request,
                                       const kernel::RunResult& result, int ranks);

}  // namespace stretto::tools
