// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_schedule.hpp"

#include <optional>
#include <span>

#include "replay/accesses.hpp"
#include "replay/rank_writer.hpp"

namespace stretto::replay {
namespace {

/// The schedule; none where a rank has windows, and `accesses` is null.
std::optional<TracedSchedule> schedule_with(const std::vector<std::filesystem::path>& files,
                                            const TraceOptions& options, const Accesses* accesses) {
  TracedSchedule traced;
  Tags tags;
  ScheduleBuilder builder;
  std::uint64_t begin_ns = 0;  // of the run, by the file of rank 0
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    const auto number = static_cast<std::uint32_t>(rank);
    RankWriter writer(files[rank], number, files.size(), options, tags, builder, traced.summary);
    if (rank == 0) begin_ns = writer.reader().begin_ns();
    writer.reader().refuse_other_run(begin_ns);
    if (writer.read_ahead() && accesses == nullptr) return {};
    writer.write(accesses != nullptr ? accesses->on(number) : std::span<const RemoteAccess>());
    builder.end_rank();
  }
  traced.schedule = builder.finish();
  traced.schedule.truncated = traced.summary.incomplete > 0;
  return traced;
}

}  // namespace

TracedSchedule schedule_of_trace(const std::vector<std::filesystem::path>& files,
                                 const TraceOptions& options) {
  if (std::optional<TracedSchedule> traced = schedule_with(files, options, nullptr))
    return std::move(*traced);
  const Accesses accesses(files, options.by_ranks);
  return std::move(schedule_with(files, options, &accesses).value());
}

}  // namespace stretto::replay
