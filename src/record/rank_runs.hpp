// SPDX-License-Identifier: BSD-3-Clause
// The members of a communicator, window or group, as definitions have them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record/trace_format.hpp"

namespace stretto::record {

/// The members in their order; those at equal distances are one run.
[[nodiscard]] inline std::vector<RankRun> runs_of(std::span<const std::int32_t> members) {
  std::vector<RankRun> runs;
  for (const std::int32_t member : members) {
    if (!runs.empty()) {
      RankRun& last = runs.back();
      if (last.count == 1) last.stride = member - last.first;
      if (member == last.first + std::int64_t{last.stride} * last.count) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({.first = member, .stride = 1, .count = 1});
  }
  return runs;
}

}  // namespace stretto::record
