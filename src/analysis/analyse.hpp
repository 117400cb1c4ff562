// SPDX-License-Identifier: BSD-3-Clause
// The analysis of a trace: reads the files of all ranks, several at a time. Needs memory for call sites, and
// for what is open in the ranks that are being read.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/cost.hpp"
#include "analysis/sums.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

struct AnalysisOptions {
  Cost cost;
  bool by_data = false;  ///< sums by variable in place of call site
  unsigned threads = 0;  ///< 0: one a core
};

/// The overlap that the calls of all ranks allow, from one file per rank. Does not depend on the number of
/// threads. Throws TraceError.
[[nodiscard]] Potential analyse(const std::vector<std::filesystem::path>& files,
                                const AnalysisOptions& options);

}  // namespace stretto::analysis
