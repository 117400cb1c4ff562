// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace with plain records, as version 1 has them, for readers that take records as they lie in a
// file, and check none: all are checked before the first is written.
#pragma once

#include <filesystem>
#include <ostream>

namespace stretto::replay {

/// Writes what `trace` has, packed or not. Throws TraceError, and std::ios_base::failure of `out`.
void write_plain_trace(const std::filesystem::path& trace, std::ostream& out);

}  // namespace stretto::replay
