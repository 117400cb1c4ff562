// SPDX-License-Identifier: BSD-3-Clause
// The analysis of a trace, from one file per rank. Needs memory for call sites, and for what is open.
//
// The processes of a team call each function together: each reads the files of its own ranks, and process 0
// returns the result of all ranks, the others nothing.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/blocked_time.hpp"
#include "analysis/cost.hpp"
#include "analysis/program.hpp"
#include "analysis/shown_network.hpp"
#include "analysis/sums.hpp"
#include "analysis/team.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

struct AnalysisOptions {
  Cost cost;
  bool by_data = false;  ///< sums by variable in place of call site
  unsigned threads = 0;  ///< 0: one a core
};

struct PotentialAndProgram {
  Potential potential;
  Program program;

  /// Adds those of another rank.
  void add(const PotentialAndProgram& other);
};

using TraceFiles = std::vector<std::filesystem::path>;

/// The overlap that the calls of all ranks allow, and what the traces say of the program. Reads several files
/// at a time; does not depend on the number of threads. Throws TraceError.
[[nodiscard]] PotentialAndProgram potential_of(const TraceFiles& files, const Share& share,
                                               const AnalysisOptions& options);

/// What the traces say of the program. Throws TraceError. `threads` as above.
[[nodiscard]] Program program_of(const TraceFiles& files, const Share& share, unsigned threads);

/// Where the time in calls goes. `crowded`: by rank, whether its host has more ranks than cores. Throws
/// TraceError.
[[nodiscard]] TimeUse time_use(const TraceFiles& files, const Share& share, const Cost& cost,
                               const std::vector<bool>& crowded);

/// The times of messages that the trace shows. Throws TraceError.
[[nodiscard]] std::vector<ShownTime> shown_network(const TraceFiles& files, const Share& share);

}  // namespace stretto::analysis
