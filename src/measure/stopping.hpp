// SPDX-License-Identifier: BSD-3-Clause
// The stopping rule of a case. Sampling ends when the medians are precise enough, when the time budget is
// spent, or after the largest number of rounds. The reason is part of the result.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "measure/experiment.hpp"
#include "measure/named.hpp"

namespace stretto::measure {

struct StoppingRule {
  double max_noise = 0.05;  ///< relative half width of the 95 % interval of every quantity's median
  int min_rounds = 9;
  int max_rounds = 500;
  double budget_s = 1.0;
  double max_error = 0;  ///< half width of the figure's interval that is enough instead; 0: max_noise holds
};

enum class StopReason { noise, budget, rounds };

constexpr std::array<std::string_view, 3> names_of(StopReason /*type*/) {
  return {"noise", "budget", "rounds"};
}

/// Collects the rounds of one case and decides when sampling ends. A figure outside of its plausible range
/// is measured once more: as many rounds again, whatever the budget.
class Stopper {
 public:
  Stopper(const StoppingRule& rule, std::size_t quantities, Figure figure = {});

  /// Adds one round: one value per quantity. Throws std::invalid_argument when the number of values
  /// differs.
  void add_round(const std::vector<double>& values);

  /// The reason to stop after `elapsed_s` in this case; nothing when sampling continues. Without
  /// `may_stop_early` precision is no reason.
  [[nodiscard]] std::optional<StopReason> decide(double elapsed_s, bool may_stop_early = true);

  /// Changes the budget.
  void allow(double budget_s) { rule_.budget_s = budget_s; }

  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  /// Estimate of the figure, and the half width of its interval.
  struct Estimate {
    double value = 0;
    double error = 0;
  };

  [[nodiscard]] std::optional<StopReason> reason(double elapsed_s, bool may_stop_early);
  [[nodiscard]] bool precise_enough() const;
  [[nodiscard]] bool plausible() const;
  [[nodiscard]] Estimate figure() const;

  StoppingRule rule_;
  Figure figure_;
  std::vector<std::vector<double>> values_;  // one list of values per quantity
  int rounds_ = 0;
  int next_check_;
  bool repeats_ = false;    // the figure was implausible and is measured again
  int repeated_until_ = 0;  // number of rounds
};

}  // namespace stretto::measure
