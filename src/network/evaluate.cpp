// SPDX-License-Identifier: BSD-3-Clause
#include "network/evaluate.hpp"

#include "network/rank_timeline.hpp"

namespace stretto::network {

ScheduleTimes evaluate(const ScheduleGraph& schedule, const PathCosts& costs, double work_s,
                       std::optional<double> barrier_s) {
  RankTimeline rank(costs);
  ScheduleTimes times{.segments_s = std::vector<double>(schedule.segments.size())};
  const double part_s = work_s / schedule.parts;
  double before_s = 0;
  const auto count = [&](std::uint8_t segment) {
    times.segments_s[segment] += rank.now_s() - before_s;
    before_s = rank.now_s();
  };
  for (const GraphStep& step : schedule.steps) {
    switch (step.kind) {
      case GraphStep::Kind::compute:
        rank.compute(step.parts * part_s);
        count(step.segment);
        break;
      case GraphStep::Kind::start:
        rank.start(step.operation, step.size_bytes);
        count(step.segment);
        break;
      case GraphStep::Kind::finish:
        rank.finish(step.message);
        count(sync_segment);
        break;
      case GraphStep::Kind::await:
        rank.await(step.message);
        count(sync_segment);
        break;
    }
  }
  if (barrier_s) {
    rank.pass(*barrier_s);
  } else {
    rank.barrier(schedule.ranks);
  }
  count(barrier_segment);
  times.total_s = rank.now_s();
  return times;
}

}  // namespace stretto::network
