// SPDX-License-Identifier: BSD-3-Clause
// Which process of a team reads which rank's trace: one that has the file. Files may lie on the node of the
// rank that wrote them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/team.hpp"

namespace stretto::tools {

/// Divides the files, one per rank, which not every process may have. Throws std::invalid_argument where none
/// has one. All processes call it together.
[[nodiscard]] analysis::Division division_of(const std::vector<std::filesystem::path>& files,
                                             analysis::Team& team);

/// The traces of a directory, by rank, of which each process may have some. All processes call it together.
/// Throws std::invalid_argument where no process has one.
[[nodiscard]] std::vector<std::filesystem::path> traces_in(const std::filesystem::path& directory,
                                                           analysis::Team& team);

/// Throws a TraceError that names the first file that cannot be read, and how many there are. `wrong`: what
/// this process has found, or empty. All processes call it together, and read their files for it.
[[noreturn]] void refuse_damaged(const std::vector<std::filesystem::path>& files,
                                 const analysis::Share& share, const std::string& wrong);

}  // namespace stretto::tools
