// SPDX-License-Identifier: BSD-3-Clause
// Rows as lines of JSON (docs/formats.md). Encoding only: nothing here opens a file.
#pragma once

#include <string>

#include "record/rows.hpp"

namespace stretto::record {

/// The schema that these functions write.
inline constexpr const char* samples_schema = "stretto.samples/1.1";

/// One line without its newline. Throws std::domain_error when a number is not finite.
[[nodiscard]] std::string encode(const Header& row);
[[nodiscard]] std::string encode(const NoiseFloor& row);
[[nodiscard]] std::string encode(const Load& row);
[[nodiscard]] std::string encode(const WorkRate& row);
[[nodiscard]] std::string encode(const Sample& row);
[[nodiscard]] std::string encode(const Traffic& row);
[[nodiscard]] std::string encode(const CaseEnd& row);
[[nodiscard]] std::string encode(const Checked& row);
[[nodiscard]] std::string encode(const Skipped& row);
[[nodiscard]] std::string encode(const End& row);

}  // namespace stretto::record
