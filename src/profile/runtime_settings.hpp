// SPDX-License-Identifier: BSD-3-Clause
// Member `runtime` of a profile: how the runtime is set best on that machine. What is not said stays open.
#pragma once

#include <cstdint>
#include <filesystem>

namespace stretto::profile {

/// Zero: not said. A plain value, so that rank 0 can read it for all.
struct RuntimeSettings {
  double pace_s = 0;
  std::uint64_t segment_bytes = 0;
  std::int64_t outstanding = 0;
};

/// Throws std::runtime_error with one line that names the file, the member and the mend.
[[nodiscard]] RuntimeSettings read_runtime_settings(const std::filesystem::path& file);

}  // namespace stretto::profile
