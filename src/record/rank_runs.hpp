// SPDX-License-Identifier: BSD-3-Clause
// The members of a communicator, window or group, as definitions have them.
#pragma once

#include <algorithm>
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

/// The ranks of the runs, as far as there are such: members of other programs have none, and a damaged file
/// may name any.
[[nodiscard]] inline std::vector<std::int32_t> ranks_in(std::span<const RankRun> runs, std::uint32_t ranks) {
  std::vector<std::int32_t> found;
  for (const RankRun& run : runs) {
    for (std::uint32_t step = 0; step < std::min(run.count, ranks); ++step) {
      const std::int64_t rank = run.first + std::int64_t{run.stride} * step;
      if (rank >= 0 && rank < ranks) found.push_back(static_cast<std::int32_t>(rank));
    }
  }
  return found;
}

}  // namespace stretto::record
