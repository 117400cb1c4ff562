// SPDX-License-Identifier: BSD-3-Clause
// The substrate's own bound: how well raw TCP overlaps with counted work. No MPI that runs over the same link
// can be expected to do better, because TCP itself takes the processor.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/netload_step.hpp"

namespace stretto::tools {

/// A paired measurement: the transfer alone, the work alone (on both hosts), and both at once.
struct OverlapRound {
  double transfer_s = 0.0;
  double work_s = 0.0;
  double together_s = 0.0;
};

/// `rounds` rounds at T_w/T_c = 1, in which the three measurements come in random order.
[[nodiscard]] std::vector<OverlapRound> overlap_rounds(Leader& leader, std::uint64_t size_bytes,
                                                       bool both_ways, int rounds);

}  // namespace stretto::tools
