// SPDX-License-Identifier: BSD-3-Clause
// The path of a machine's installed profile, by `stretto fit --install` (docs/formats.md, "The installed
// profile"). Does not check that the file exists.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::profile {

/// 16 hexadecimal digits. `hosts`: the name of each rank's host, in any order; `library`: as in the header of
/// samples.
[[nodiscard]] std::string key(std::string_view library, std::vector<std::string> hosts,
                              std::string_view network);

/// Of the profile of that key; nothing where there is neither $XDG_DATA_HOME nor $HOME.
[[nodiscard]] std::optional<std::filesystem::path> installed_path(std::string_view key);

/// An MPI's description of itself as it stands in files: its first line, with single spaces.
[[nodiscard]] std::string library_line(std::string_view text);

}  // namespace stretto::profile
