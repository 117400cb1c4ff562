// SPDX-License-Identifier: BSD-3-Clause
// A network as the replay sees it: LogGP parameters by ranges of message sizes, and LogGOPS's O and S.
// LogGOPS: Hoefler, Schneider, Lumsdaine, LogGOPSim, LSAP 2010.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "network/loggp.hpp"

namespace stretto::network {

struct NetworkRange {
  std::uint64_t from_bytes = 0;  ///< the smallest size that it is for
  LogGp loggp;                   ///< without gap_queue_s, which a schedule's replay does not use
};

/// What goes on of a message beyond its eager part while a rank computes (docs/replay.md).
enum class ProgressModel : std::uint8_t { offload, eager_only, inside_calls, thread };

struct Network {
  std::vector<NetworkRange> ranges{1};  ///< sizes ascending; the first is for all smaller ones, too
  double overhead_s_per_byte = 0;       ///< O: of the processor, per byte after the first, on both sides
  std::uint64_t eager_bytes = std::numeric_limits<std::uint64_t>::max();  ///< S: what is longer asks first

  /// So many ranks from 0 on share a node, and so on; 0: each has one of its own. Between those of one node L
  /// is another, whatever the size; their cards and overheads are as with all others.
  std::uint32_t node_ranks = 0;
  double node_latency_s = 0;

  ProgressModel progress = ProgressModel::offload;
  double period_s = 0;  ///< of ProgressModel::thread: how often it looks

  [[nodiscard]] const LogGp& parameters(std::uint64_t size_bytes) const {
    std::size_t i = ranges.size() - 1;
    while (i > 0 && size_bytes < ranges[i].from_bytes) --i;
    return ranges[i].loggp;
  }
};

/// Reads `KEY=VALUE,...` with the keys L, o (or o_s and o_r), g, G, O, S, node and L_node; further ranges
/// follow as `;from=SIZE,KEY=VALUE,...` and have from the one before what they do not say. Times are seconds,
/// or have a suffix (s, ms, us, ns, ps). What is not said is zero, S unlimited.
/// Throws std::invalid_argument with one line that names the key and the mend.
[[nodiscard]] Network network_from(std::string_view spec);

/// Sets the progress model: `offload`, `eager-only`, `inside-calls`, or `thread=PERIOD` (a time). Throws
/// std::invalid_argument, also when one other than offload meets a network without S: nothing would wait.
void set_progress(Network& network, std::string_view model);

[[nodiscard]] std::string progress_text(const Network& network);

}  // namespace stretto::network
