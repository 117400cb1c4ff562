// SPDX-License-Identifier: BSD-3-Clause
// The time of day as the files of stretto have it.
#pragma once

#include <ctime>
#include <string>

namespace stretto::record {

/// Such as 2026-11-29T11:20:37Z.
[[nodiscard]] inline std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace stretto::record
