// SPDX-License-Identifier: BSD-3-Clause
// A trace that is replayed as it is read: how many operations each rank has, which one pass over the files
// counts. A replay then needs memory for what is under way, not for all operations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "replay/compiled_schedule.hpp"
#include "replay/trace_schedule.hpp"

namespace stretto::replay {

struct StreamedTrace {
  std::vector<std::filesystem::path> files;  ///< by rank
  TraceOptions options;
  TraceSummary summary;
  /// Per rank, and one past the last, as in a schedule.
  std::vector<OperationId> first_operation{0};
  RankResources resources;
  std::vector<std::uint8_t> has_facts;  ///< by rank, whether RankWriter::read_ahead finds any

  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(files.size()); }
  [[nodiscard]] OperationId operations() const { return first_operation.back(); }
  /// Some recordings ended early: operations without a partner never end, which is no error.
  [[nodiscard]] bool is_truncated() const { return summary.incomplete > 0; }
};

/// Counts the operations of a trace. None where it cannot be replayed as it is read, but needs a schedule: at
/// levels above Level::traced, with one-sided operations, with several threads that call MPI in a rank, and
/// with receives that only the replay matches. Throws as schedule_of_trace does.
[[nodiscard]] std::optional<StreamedTrace> streamed_trace(const std::vector<std::filesystem::path>& files,
                                                          const TraceOptions& options);

}  // namespace stretto::replay
