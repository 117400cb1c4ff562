// SPDX-License-Identifier: BSD-3-Clause
// The calls of a rank and the ends of its messages as lines of text, from which other formats are made.
#pragma once

#include <filesystem>
#include <ostream>

namespace stretto::analysis {

/// Writes the lines, as docs/formats.md has them. Throws TraceError, and std::ios_base::failure.
void write_listing(const std::filesystem::path& trace, std::ostream& out);

}  // namespace stretto::analysis
