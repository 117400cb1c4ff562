// SPDX-License-Identifier: BSD-3-Clause
// A profile as JSON: that it is one, of a version that is read here. Includes the JSON library: for source
// files.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace stretto::profile {

/// Throws std::invalid_argument with what is wrong, and the mend.
[[nodiscard]] nlohmann::json parse_document(std::string_view text);

/// Throws std::runtime_error with one line that names the file and the mend.
[[nodiscard]] nlohmann::json read_document(const std::filesystem::path& file);

/// Throws that error.
[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what);

}  // namespace stretto::profile
