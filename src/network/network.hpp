// SPDX-License-Identifier: BSD-3-Clause
// The network of a replay: LogGP parameters by ranges of message sizes, and O and S of LogGOPS. LogGOPS:
// Hoefler, Schneider, Lumsdaine, LogGOPSim, LSAP 2010.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "network/network_ranges.hpp"

namespace stretto::network {

/// How a message progresses beyond its eager part while a rank computes (docs/replay.md).
enum class ProgressModel : std::uint8_t { offload, eager_only, inside_calls, thread };

struct Network {
  /// Ascending sizes; the first range also covers smaller sizes. A replay does not use gap_queue_s.
  std::vector<NetworkRange> ranges{1};
  double overhead_s_per_byte = 0;  ///< O: processor time per byte after the first, on both sides
  std::uint64_t eager_bytes =
      std::numeric_limits<std::uint64_t>::max();  ///< S: larger messages use a rendezvous
  /// B: the most bytes that a card has taken from calls and not sent yet. So many bytes of a rendezvous leave
  /// after a call, and a later request or answer waits behind them. Below S it limits eager messages, too. 0:
  /// as S, and nothing waits.
  std::uint64_t buffer_bytes = 0;

  /// The number of consecutive ranks per node; 0: one rank per node. Ranks of one node have a different L
  /// for all sizes; cards and overheads are the same.
  std::uint32_t node_ranks = 0;
  double node_latency_s = 0;

  ProgressModel progress = ProgressModel::offload;
  double period_s = 0;  ///< of ProgressModel::thread: time between two polls

  [[nodiscard]] LogGp parameters(std::uint64_t size_bytes) const { return parameters_at(ranges, size_bytes); }
};

/// Reads `KEY=VALUE,...` with the keys L, o (or o_s and o_r), g, G, O, S, B, node and L_node. Further ranges
/// follow as `;from=SIZE,KEY=VALUE,...` and inherit other values from the range before. `;at=SIZE,...` is
/// one measured size: all times are linear between two of them. Times are in seconds, or have a suffix (s,
/// ms, us, ns, ps). Missing values are zero, S unlimited. Throws std::invalid_argument with a line that
/// names the key and its remedy.
[[nodiscard]] Network network_from(std::string_view spec);

/// The text from which network_from() makes the same ranges, S and B.
[[nodiscard]] std::string network_text(const Network& network);

/// Sets the progress model: `offload`, `eager-only`, `inside-calls`, or `thread=PERIOD` (a time). Throws
/// std::invalid_argument, also for a model other than offload without S, where no message would ever wait.
void set_progress(Network& network, std::string_view model);

[[nodiscard]] std::string progress_text(const Network& network);

}  // namespace stretto::network
