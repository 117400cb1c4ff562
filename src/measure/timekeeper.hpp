// SPDX-License-Identifier: BSD-3-Clause
// Times one step on all ranks at once: the ranks agree on a start deadline, and each runs its part. The
// time of the step is the last end minus the first start.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "measure/team.hpp"
#include "record/rows.hpp"

namespace stretto::measure {

/// Passed to a step while it is timed. The step assigns the time of its parts to segments.
class StepTimer {
 public:
  /// `overhead_s`: the cost of reading the clock, subtracted from every part.
  StepTimer(Team& team, double overhead_s) : team_(team), overhead_s_(overhead_s) {}

  template <typename Part>
  void init(Part&& part) {
    lap(&record::Segments::init_s, std::forward<Part>(part));
  }
  template <typename Part>
  void work(Part&& part) {
    lap(&record::Segments::work_s, std::forward<Part>(part));
  }
  template <typename Part>
  void sync(Part&& part) {
    lap(&record::Segments::sync_s, std::forward<Part>(part));
  }
  template <typename Part>
  void barrier(Part&& part) {
    lap(&record::Segments::barrier_s, std::forward<Part>(part));
  }

  /// Runs `part` and adds its time to `segment`.
  template <typename Part>
  void lap(double record::Segments::*segment, Part&& part) {
    const double begin_s = team_.now_s();
    std::forward<Part>(part)();
    const double taken_s = team_.now_s() - begin_s - overhead_s_;
    if (taken_s > 0) segments_.*segment += taken_s;
  }

  [[nodiscard]] const record::Segments& segments() const { return segments_; }

 private:
  Team& team_;
  double overhead_s_;
  record::Segments segments_;
};

/// What every rank does from the start deadline to its own end.
using Step = std::function<void(StepTimer&)>;

/// One timed step. All ranks hold `time_s` and `preemption`; the segments are complete at rank 0 only.
struct Measurement {
  double time_s = 0;
  Preemption preemption;  ///< the largest of a rank, from before the start deadline on
  record::Segments mean;
  record::Segments smallest;
  record::Segments largest;

  /// Whether other programs took so much of a rank's processor that the time says little about the step.
  [[nodiscard]] bool disturbed() const { return is_disturbed(time_s, preemption.lost_s); }
};

class Timekeeper {
 public:
  /// Collective. Measures the cost of agreeing on a deadline, to choose how far ahead a deadline must lie.
  Timekeeper(Team& team, double clock_overhead_s);

  /// Runs `step` on all ranks. Collective. Returns nothing when a rank started late, because the time would
  /// include its delay.
  [[nodiscard]] std::optional<Measurement> time(const Step& step);

  /// The times of `repeats` runs in which no rank started late and none lost its processor, the same on all
  /// ranks. Collective. It gives up after ten late runs, or three times as many disturbed ones as requested,
  /// and returns the times that it has: of disturbed runs if there are no others, and one placeholder (0.1 s)
  /// if there is none at all.
  [[nodiscard]] std::vector<double> times_s(const Step& step, int repeats);

  /// The median of times_s().
  [[nodiscard]] double median_time_s(const Step& step, int repeats = 5);

  /// The shortest of times_s(). It serves to choose counts, because interruptions only add time.
  [[nodiscard]] double shortest_time_s(const Step& step, int repeats = 5);

  [[nodiscard]] Team& team() const { return team_; }

 private:
  void adapt_margin(bool late);

  Team& team_;
  double clock_overhead_s_;
  double base_margin_s_ = 0;
  double margin_s_ = 0;
  ProcessorAccount account_;  // after the last step
  int on_time_ = 0;
};

}  // namespace stretto::measure
