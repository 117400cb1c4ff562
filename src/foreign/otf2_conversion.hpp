// SPDX-License-Identifier: BSD-3-Clause
// Converts an OTF2 archive (Score-P, Extrae, ...) to a trace of stretto.
#pragma once

#include <filesystem>

#include "foreign/foreign_call.hpp"

namespace stretto::foreign {

/// Writes a trace of an archive, which its anchor file names, to `directory`. Returns what the trace leaves
/// out. Ranks are converted by several threads. Throws Damaged, NoMpi, and std::ios_base::failure of the
/// trace.
[[nodiscard]] LeftOut convert_otf2(const std::filesystem::path& anchor,
                                   const std::filesystem::path& directory);

}  // namespace stretto::foreign
