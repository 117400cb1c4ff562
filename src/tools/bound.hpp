// SPDX-License-Identifier: BSD-3-Clause
// The upper bound of the emulated network: how well raw TCP overlaps with computation, and how much
// it slows the computation down. No MPI over the same
// link can do better, because TCP itself uses the processor.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/netload_step.hpp"

namespace stretto::tools {

/// A paired measurement: the transfer alone, the computation alone (on both hosts), and both at once.
struct OverlapRound {
  double transfer_s = 0.0;
  double work_s = 0.0;
  double together_s = 0.0;
  double computing_alone_s = 0.0;     ///< of the hosts' computation in `work_s`, without the start of threads
  double computing_together_s = 0.0;  ///< of the same computation in `together_s`
};

/// Runs `rounds` rounds at T_w/T_c = 1. Each interleaves the three measurements in random order.
[[nodiscard]] std::vector<OverlapRound> overlap_rounds(Leader& leader, std::uint64_t size_bytes,
                                                       bool both_ways, int rounds);

}  // namespace stretto::tools
