// SPDX-License-Identifier: BSD-3-Clause
#include "measure/timekeeper.hpp"

#include <algorithm>
#include <vector>

#include "measure/statistics.hpp"

namespace stretto::measure {
namespace {

constexpr double smallest_margin_s = 20e-6;
constexpr double largest_margin_s = 0.1;
/// Before the deadline: what a rank loses earlier does not concern the step. Longer than reading the account.
constexpr double account_lead_s = 50e-6;
constexpr double crowded_lead_s = 1e-3;  // ranks that share a core wake one after the other

struct RankRecord {
  double begin_s = 0;
  double end_s = 0;
  record::Segments segments;
  Preemption preemption;
  bool late = false;
  bool preempted = false;  // before its start
};

struct Verdict {
  double time_s = 0;
  Preemption preemption;
  bool late = false;
  bool too_soon = false;  // a rank was late although it had its processor: deadlines must lie further ahead
};

Measurement summarise(const std::vector<RankRecord>& ranks, int shared_cores) {
  Measurement result{.smallest = ranks.front().segments};
  double first_s = ranks.front().begin_s;
  double last_s = ranks.front().end_s;
  std::vector<Preemption> preemptions;
  for (const RankRecord& rank : ranks) {
    preemptions.push_back(rank.preemption);
    first_s = std::min(first_s, rank.begin_s);
    last_s = std::max(last_s, rank.end_s);
    for (const auto& [name, part] : record::segment_names) {
      result.mean.*part += rank.segments.*part / static_cast<double>(ranks.size());
      result.smallest.*part = std::min(result.smallest.*part, rank.segments.*part);
      result.largest.*part = std::max(result.largest.*part, rank.segments.*part);
    }
  }
  result.time_s = last_s - first_s;
  result.preemption = largest(preemptions, result.time_s, shared_cores);
  return result;
}

/// The cores that all ranks of a single machine share; 0 where each has its own, and on several machines.
int shared_cores(const Team& team) {
  return team.is_crowded() && team.ranks_on_machine() == team.size() ? team.cores_of_machine() : 0;
}

}  // namespace

Timekeeper::Timekeeper(Team& team, double clock_overhead_s)
    : team_(team), clock_overhead_s_(clock_overhead_s) {
  std::vector<double> costs_s;
  for (int i = 0; i < 15; ++i) {
    const double begin_s = team.now_s();
    double token = 0;
    team.share(token);
    (void)team.collect(token);
    costs_s.push_back(team.now_s() - begin_s);
  }
  account_ = team.processor_account();
  base_margin_s_ = std::clamp(4 * median(costs_s), smallest_margin_s, largest_margin_s);
  team.share(base_margin_s_);
  margin_s_ = base_margin_s_;
}

std::optional<Measurement> Timekeeper::time(const Step& step) {
  double start_s = team_.now_s() + margin_s_;
  team_.share(start_s);
  const double lead_s = team_.is_crowded() ? crowded_lead_s : account_lead_s;
  if (margin_s_ > 4 * lead_s) team_.wait_until(start_s - lead_s);
  const ProcessorAccount before = team_.processor_account();
  // Ranks that share cores always wait a little for each other; that is what the margin is for.
  const bool preempted = !team_.is_crowded() && between(account_, before).lost_s > 0;
  RankRecord mine{.late = team_.now_s() > start_s, .preempted = preempted};
  team_.wait_until(start_s);
  StepTimer timer(team_, clock_overhead_s_);
  mine.begin_s = team_.now_s();
  step(timer);
  mine.end_s = team_.now_s();
  mine.segments = timer.segments();
  account_ = team_.processor_account();
  mine.preemption = between(before, account_);

  // Ranks that finish early would disturb the links of the others with their results. They first wait for
  // rank 0, to which all report, to finish (docs/decisions/timing.md).
  char is_done = 1;
  team_.share(is_done);
  team_.barrier();
  const std::vector<RankRecord> all = team_.collect(mine);
  Measurement result;
  Verdict verdict;
  if (team_.rank() == 0) {
    result = summarise(all, shared_cores(team_));
    verdict = {.time_s = result.time_s,
               .preemption = result.preemption,
               .late = std::ranges::any_of(all, &RankRecord::late),
               .too_soon = std::ranges::any_of(
                   all, [](const RankRecord& rank) { return rank.late && !rank.preempted; })};
  }
  team_.share(verdict);
  result.time_s = verdict.time_s;
  result.preemption = verdict.preemption;
  if (verdict.too_soon || !verdict.late) adapt_margin(verdict.too_soon);
  if (verdict.late) return std::nullopt;
  return result;
}

std::vector<double> Timekeeper::times_s(const Step& step, int repeats) {
  std::vector<double> times;
  std::vector<double> disturbed;
  int misses = 0;
  while (static_cast<int>(times.size()) < repeats && static_cast<int>(disturbed.size()) < 3 * repeats) {
    if (const auto measured = time(step)) {
      (measured->disturbed() ? disturbed : times).push_back(measured->time_s);
    } else if (++misses == 10) {
      break;
    }
  }
  if (times.empty()) times = disturbed;
  if (times.empty()) times.push_back(largest_margin_s);
  return times;
}

double Timekeeper::median_time_s(const Step& step, int repeats) { return median(times_s(step, repeats)); }

double Timekeeper::shortest_time_s(const Step& step, int repeats) {
  return std::ranges::min(times_s(step, repeats));
}

void Timekeeper::adapt_margin(bool late) {
  if (late) {
    margin_s_ = std::min(2 * margin_s_, largest_margin_s);
    on_time_ = 0;
  } else if (++on_time_ == 50) {
    margin_s_ = std::max(0.5 * margin_s_, base_margin_s_);
    on_time_ = 0;
  }
}

}  // namespace stretto::measure
