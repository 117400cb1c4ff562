// SPDX-License-Identifier: BSD-3-Clause
// The one timing loop of all probes: warm-up, interleaving in random order, stopping, recording.
#pragma once

#include <cstdint>
#include <functional>
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
  double budget_s = 60;  ///< total over all cases
  int min_rounds = 11;
  int max_rounds = 500;
  int warm_ups = 2;
  std::uint64_t seed = 1;
  bool check = false;
};

/// Cases that share a set-up, which must not exist while other cases run.
struct Session {
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

  /// Runs the sessions in random order, and the cases of each in random order. Cases are numbered in the
  /// order given.
  std::int64_t run(std::vector<Session> sessions);

 private:
  [[nodiscard]] std::vector<std::size_t> shuffled(std::size_t size);
  std::int64_t run_session(Session& session, std::size_t first_case);
  void run_case(Experiment& experiment, int case_index, double budget_s, CheckedTransfers& checked);
  [[nodiscard]] bool run_round(Experiment& experiment, record::Sample sample,
                               const std::vector<Quantity>& quantities, std::vector<double>& times_s,
                               CheckedTransfers& checked, TrafficSum& traffic);
  [[nodiscard]] std::optional<Measurement> run_sample(Experiment& experiment, const Quantity& quantity,
                                                      CheckedTransfers& checked, TrafficSum& traffic);

  Timekeeper& timekeeper_;
  Team& team_;
  HarnessSettings settings_;
  record::SampleFile* file_;
  double begin_s_ = 0;     // start of the first case
  std::size_t to_do_ = 0;  // cases that have not run yet
  std::mt19937_64 order_;  // the same sequence on all ranks
};

}  // namespace stretto::measure
