// SPDX-License-Identifier: BSD-3-Clause
// The measurement of one case: calibration, warm-up, rounds in one or several visits, and its last rows.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "measure/experiment.hpp"
#include "measure/stopping.hpp"
#include "measure/traffic_sum.hpp"
#include "record/sample_file.hpp"

namespace stretto::measure {

struct HarnessSettings {
  double max_noise = 0.03;
  double max_error = 0;  ///< of the figure of a case that has one; 0: max_noise holds for every case
  double budget_s = 60;  ///< total over all cases
  int min_rounds = 11;
  int max_rounds = 500;
  int visits = 3;  ///< how often a case that may pause is visited at least; other cases run in between
  int warm_ups = 2;
  std::uint64_t seed = 1;
  bool check = false;
};

/// What a visit may take.
struct Turn {
  int rounds = 0;
  double time_s = 0;
  bool last = false;  ///< the case ends with this visit
};

class CaseRun {
 public:
  /// `order` is the harness's random sequence; `file` is null except at rank 0.
  CaseRun(Timekeeper& timekeeper, const HarnessSettings& settings, std::mt19937_64& order,
          record::SampleFile* file, std::unique_ptr<Experiment> experiment, int index);

  [[nodiscard]] bool may_pause() const { return settings_.visits > 1 && experiment_->may_pause(); }

  /// Rounds of a visit: those so far increase it, so that leaving and returning costs little.
  [[nodiscard]] int rounds_of_visit() const;

  /// Measures. Returns whether the case has ended; its last rows are written then. Collective.
  [[nodiscard]] bool visit(const Turn& turn);

  /// The transfers that were checked: of this rank until the case has ended, then of all ranks.
  [[nodiscard]] const CheckedTransfers& checked() const { return checked_; }

 private:
  void begin();
  void warm_up(int times);
  [[nodiscard]] int next(const Turn& turn, double begin_s, int rounds_before);
  [[nodiscard]] bool run_round();
  [[nodiscard]] std::optional<Measurement> run_sample(const Quantity& quantity);
  [[nodiscard]] record::Sample row_of(const Quantity& quantity, const Measurement& measured) const;
  void end(StopReason reason);

  Timekeeper& timekeeper_;
  Team& team_;
  const HarnessSettings& settings_;
  std::mt19937_64& order_;
  record::SampleFile* file_;
  std::unique_ptr<Experiment> experiment_;
  int index_;

  std::vector<Quantity> quantities_;
  std::optional<Stopper> stopper_;
  std::optional<TrafficSum> traffic_;
  CheckedTransfers checked_;
  record::Sample sample_;  // what all samples of the case have in common
  double spent_s_ = 0;
  int visits_ = 0;
  int discarded_ = 0;        // rounds
  int failed_in_a_row_ = 0;  // rounds
  int disturbed_ = 0;        // samples
};

}  // namespace stretto::measure
