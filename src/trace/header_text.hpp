// SPDX-License-Identifier: BSD-3-Clause
// The JSON text in the header of a trace: where it comes from, and the names of its calls.
#pragma once

#include <cstdint>
#include <string>

#include "record/trace_format.hpp"

namespace stretto::trace {

/// MPI must be initialised, or a session. `limit_bytes`: of all ranks' files together; 0: none.
[[nodiscard]] std::string header_text(const record::TraceHeader& header, std::uint64_t limit_bytes);

}  // namespace stretto::trace
