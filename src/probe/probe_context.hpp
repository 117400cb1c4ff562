// SPDX-License-Identifier: BSD-3-Clause
// What the probes of one rank use: the team, the worker and the transport.
#pragma once

#include <array>
#include <cstdint>

#include "exchange/channel.hpp"
#include "measure/team.hpp"
#include "measure/work.hpp"

namespace stretto::probe {

/// Seconds per count of each kind of computation, the same on all ranks.
struct WorkRates {
  std::array<double, std::size(measure::all_work_kinds)> seconds_per_count{};

  [[nodiscard]] double of(measure::WorkKind kind) const {
    return seconds_per_count[static_cast<std::size_t>(kind)];
  }
  /// The smallest count, at least 1, that takes `duration_s` or longer.
  [[nodiscard]] std::uint64_t count_for(measure::WorkKind kind, double duration_s) const;
};

class Collectives;
class NonblockingCollectives;

struct ProbeContext {
  measure::Team& team;
  measure::Worker& worker;
  exchange::Channel& transport;
  const WorkRates& rates;
  Collectives* collectives =
      nullptr;  ///< set on at most one context of a run, because the collectives use no transport
  NonblockingCollectives* nonblocking = nullptr;  ///< likewise
};

/// The partner of this rank in the probes of pairs. Rank r of the first half is paired with r + size/2, so
/// that pairs span nodes when ranks are placed node by node. With an odd number of ranks the last one is
/// idle.
struct Pairing {
  bool origin = false;
  bool target = false;
  int peer = -1;
  int pairs = 0;
};

/// `most`: only the first so many pairs take part, and the other ranks are idle; 0: all take part.
[[nodiscard]] Pairing pairing_of(int rank, int size, int most = 0);

}  // namespace stretto::probe
