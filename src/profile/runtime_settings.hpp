// SPDX-License-Identifier: BSD-3-Clause
// Member `runtime` of a profile: the best settings of the runtime on that machine. Absent members set
// nothing.
#pragma once

#include <cstdint>
#include <filesystem>

namespace stretto::profile {

/// The settings; zero: absent. A trivially copyable type, so that rank 0 can broadcast it.
struct RuntimeSettings {
  double poll_interval_s = 0;  // member `pace_s` of the file
  std::uint64_t segment_bytes = 0;
  std::int64_t outstanding = 0;
};

/// Reads the settings. Throws std::runtime_error with one line that names the file, the member and what to
/// do.
[[nodiscard]] RuntimeSettings read_runtime_settings(const std::filesystem::path& file);

}  // namespace stretto::profile
