// SPDX-License-Identifier: BSD-3-Clause
// The JSON text in the header of a trace: where it comes from, and the names of its calls.
#pragma once

#include <string>

namespace stretto::trace {

/// MPI must be initialised, or a session.
[[nodiscard]] std::string header_text();

}  // namespace stretto::trace
