// SPDX-License-Identifier: BSD-3-Clause
// Converts traces of other tools to traces of stretto, which are written to `directory`.
#pragma once

#include <filesystem>

#include "foreign/foreign_call.hpp"

namespace stretto::foreign {

// Each returns what the trace leaves out. They throw Damaged, NoMpi, and std::ios_base::failure of the trace.

/// An OTF2 archive (Score-P, Extrae, ...), which its anchor file names. Ranks are converted by several
/// threads.
[[nodiscard]] LeftOut convert_otf2(const std::filesystem::path& anchor,
                                   const std::filesystem::path& directory);
/// A Paraver trace (`.prv` with `.pcf`, of Extrae). `records` is the file that is read, twice: another one
/// where the trace is compressed.
[[nodiscard]] LeftOut convert_paraver(const std::filesystem::path& trace,
                                      const std::filesystem::path& records,
                                      const std::filesystem::path& directory);
/// A time-independent trace of SimGrid, of hosts that do so many flops a second.
[[nodiscard]] LeftOut convert_time_independent(const std::filesystem::path& source,
                                               const std::filesystem::path& directory, double flops_rate);

/// Whether a path is a time-independent trace: a file of actions, an index of them, or a directory of them.
[[nodiscard]] bool is_time_independent(const std::filesystem::path& source);

}  // namespace stretto::foreign
