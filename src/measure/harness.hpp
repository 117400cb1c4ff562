// SPDX-License-Identifier: BSD-3-Clause
// The one timing loop of all probes: which case runs when, and for how long. case_run.hpp measures a case.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "measure/case_run.hpp"
#include "measure/experiment.hpp"
#include "record/sample_file.hpp"

namespace stretto::measure {

/// Cases that share a set-up, which must not exist while other cases run.
struct CaseGroup {
  std::function<void()> open;   ///< collective; may be empty
  std::function<void()> close;  ///< collective; may be empty
  std::vector<std::unique_ptr<Experiment>> cases;
};

class Harness {
 public:
  /// `file` is null except at rank 0. `settings` are the same on all ranks.
  Harness(Timekeeper& timekeeper, const HarnessSettings& settings, record::SampleFile* file);

  /// Records the time of an empty step: median plus interquartile range. Collective.
  void record_noise_floor();

  /// Runs all cases in random order. Collective. Returns the number of transfers that arrived wrong.
  std::int64_t run(std::vector<std::unique_ptr<Experiment>> cases);

  /// Runs the groups in random order, and the cases of each in random order. Cases are numbered in the
  /// order given.
  std::int64_t run(std::vector<CaseGroup> groups);

 private:
  [[nodiscard]] std::vector<std::size_t> shuffled(std::size_t size);
  [[nodiscard]] double left_s(double end_s);
  std::int64_t run_group(CaseGroup& group, std::size_t first_case);
  /// Visits each case once; keeps those that have not ended.
  void first_visits(std::vector<std::unique_ptr<CaseRun>>& cases, double end_s, std::int64_t& wrong);
  /// Visits the cases that are open, each with its share of the time that is left, until all have ended.
  void further_visits(std::vector<std::unique_ptr<CaseRun>>& cases, double end_s, std::int64_t& wrong);

  Timekeeper& timekeeper_;
  Team& team_;
  HarnessSettings settings_;
  record::SampleFile* file_;
  double begin_s_ = 0;     // start of the first case
  std::size_t to_do_ = 0;  // cases of groups that have not run yet
  std::mt19937_64 order_;  // the same sequence on all ranks
};

}  // namespace stretto::measure
