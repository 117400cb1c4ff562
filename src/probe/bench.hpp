// SPDX-License-Identifier: BSD-3-Clause
// The workbench of one rank: the team, the worker, and what the data travels over.
#pragma once

#include <array>
#include <cstdint>
#include <stretto/work.hpp>

#include "exchange/channel.hpp"
#include "measure/team.hpp"

namespace stretto::probe {

/// Seconds a count of each kind of work, the same on all ranks.
struct WorkRates {
  std::array<double, std::size(measure::all_work_kinds)> seconds_per_count{};

  [[nodiscard]] double of(measure::WorkKind kind) const {
    return seconds_per_count[static_cast<std::size_t>(kind)];
  }
  /// The least count, at least 1, that takes `duration_s` or longer.
  [[nodiscard]] std::uint64_t count_for(measure::WorkKind kind, double duration_s) const;
};

class Collectives;

struct Bench {
  measure::Team& team;
  measure::Worker& worker;
  exchange::Channel& transport;
  const WorkRates& rates;
  Collectives* collectives = nullptr;  ///< on one bench of a run at most: they are over no transport
};

/// Who this rank talks to in the probes of pairs: rank r of the first half with r + size/2, so that ranks
/// that were placed node by node talk across nodes. With an odd number the last rank looks on.
struct Pairing {
  bool origin = false;
  bool target = false;
  int peer = -1;
  int pairs = 0;
};

[[nodiscard]] Pairing pairing_of(int rank, int size);

}  // namespace stretto::probe
