// SPDX-License-Identifier: BSD-3-Clause
// Times one step on all ranks at once: they agree on a start deadline, each runs its part, and the
// step's time is last end minus first start. Knows nothing of what a step does.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "measure/team.hpp"
#include "record/rows.hpp"

namespace stretto::measure {

/// What a step gets while it is timed: laps that say what part of it went where.
class Stage {
 public:
  /// `overhead_s`: what reading the clock costs; taken off every lap.
  Stage(Team& team, double overhead_s) : team_(team), overhead_s_(overhead_s) {}

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

  /// `part` is of this segment.
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

/// What every rank does between the start deadline and its own end.
using Step = std::function<void(Stage&)>;

/// One timed step. All ranks hold `time_s`; the segments are complete at rank 0 only.
struct Measurement {
  double time_s = 0;
  record::Segments mean;
  record::Segments smallest;
  record::Segments largest;
};

class Timekeeper {
 public:
  /// Collective: measures what agreeing costs, to choose how far ahead a deadline must lie.
  Timekeeper(Team& team, double clock_overhead_s);

  /// Runs `step` on all ranks. Collective. Nothing when a rank was late at the start: the time would
  /// hold its delay.
  [[nodiscard]] std::optional<Measurement> time(const Step& step);

  /// The times of `repeats` on-time runs, at least one, the same on all ranks. Collective. Where ranks are
  /// late ten times over, fewer; where they always are, a tenth of a second stands for what is not known.
  [[nodiscard]] std::vector<double> times_s(const Step& step, int repeats);

  /// The median of these times.
  [[nodiscard]] double median_time_s(const Step& step, int repeats = 5);

  /// The shortest of these times: for choosing counts, since an interruption only ever adds.
  [[nodiscard]] double shortest_time_s(const Step& step, int repeats = 5);

  [[nodiscard]] Team& team() const { return team_; }

 private:
  void adapt_margin(bool late);

  Team& team_;
  double clock_overhead_s_;
  double base_margin_s_ = 0;
  double margin_s_ = 0;
  int on_time_ = 0;
};

}  // namespace stretto::measure
