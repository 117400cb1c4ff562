// SPDX-License-Identifier: BSD-3-Clause
// Reads a profile as JSON, and checks its version. It includes the JSON library, so headers must not include
// it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace stretto::profile {

/// Parses a profile. Throws std::invalid_argument that says what is wrong and what to do.
[[nodiscard]] nlohmann::json parse_document(std::string_view text);

/// Reads a profile. Throws std::runtime_error with one line that names the file and says what to do.
[[nodiscard]] nlohmann::json read_document(const std::filesystem::path& file);

/// Throws this std::runtime_error.
[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what);

}  // namespace stretto::profile
