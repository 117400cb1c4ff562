// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_schedule.hpp"

#include "replay/rank_writer.hpp"

namespace stretto::replay {

TracedSchedule schedule_of_trace(const std::vector<std::filesystem::path>& files,
                                 const TraceOptions& options) {
  TracedSchedule traced;
  Tags tags;
  ScheduleBuilder builder;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    RankWriter(files[rank], static_cast<std::uint32_t>(rank), files.size(), options, tags, builder,
               traced.summary)
        .write();
  }
  traced.schedule = builder.finish();
  traced.schedule.truncated = traced.summary.incomplete > 0;
  return traced;
}

}  // namespace stretto::replay
