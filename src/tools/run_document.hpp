// SPDX-License-Identifier: BSD-3-Clause
// What stretto-run prints. Knows no MPI: it is compiled once for all of them.
#pragma once

#include <string>
#include <string_view>

#include "kernel/result.hpp"

namespace stretto::tools {

/// One JSON document in one line: the request, its results, and then the kernel's own members.
[[nodiscard]] std::string run_document(std::string_view kernel, const kernel::Request& request,
                                       const kernel::RunResult& result, int ranks);

}  // namespace stretto::tools
