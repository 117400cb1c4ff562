// SPDX-License-Identifier: BSD-3-Clause
// The path of a machine's installed profile, as `stretto fit --install` writes it (docs/formats.md, "The
// installed profile"). The file need not exist.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::profile {

/// The key of a machine, 16 hexadecimal digits. `hosts`: the host name of each rank, in any order; `library`:
/// as in the header of samples.
[[nodiscard]] std::string key(std::string_view library, std::vector<std::string> hosts,
                              std::string_view network);

/// The path of the profile with that key; empty where neither $XDG_DATA_HOME nor $HOME is set.
[[nodiscard]] std::optional<std::filesystem::path> installed_path(std::string_view key);

/// An MPI's version string as files store it: its first line, with single spaces.
[[nodiscard]] std::string library_line(std::string_view text);

}  // namespace stretto::profile
