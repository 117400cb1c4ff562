// SPDX-License-Identifier: BSD-3-Clause
// The cases of the probes `nbc` and `neighbourhood`: a nonblocking operation of many ranks alone (T_c),
// computation alone (T_w), and the operation with the computation between its start and its completion (T_t).
#pragma once

#include <string>
#include <vector>

#include "probe/nonblocking.hpp"
#include "probe/probes.hpp"
#include "record/rows.hpp"

namespace stretto::probe {

/// One probe of this kind: its operations, and the members among which each runs.
struct NonblockingSweep {
  std::string probe;
  std::vector<NonblockingOperation> operations;
  std::vector<int> members;
};

/// The sweep of `nbc`: the requested operations, by default those of nonblocking benchmarks.
[[nodiscard]] NonblockingSweep nbc_sweep(const Settings& settings, int ranks);
/// The sweep of `neighbourhood`: by MPI_Ineighbor_alltoall and by sends, on all ranks.
[[nodiscard]] NonblockingSweep neighbourhood_sweep(int ranks);

/// The cases of a sweep over the requested progress modes, ratios and sizes.
[[nodiscard]] Cases nonblocking_cases(const NonblockingSweep& sweep, const Settings& settings,
                                      const ProbeContext& context);

/// The operations of the requested probes that do not exist here, each with its reason.
[[nodiscard]] std::vector<record::Skipped> skipped_nonblocking(const Settings& settings,
                                                               const NonblockingCollectives* collectives,
                                                               int ranks);

}  // namespace stretto::probe
