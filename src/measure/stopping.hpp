// SPDX-License-Identifier: BSD-3-Clause
// The stopping rule of a case. Sampling ends when the medians are precise enough, when the time budget is
// spent, or after the largest number of rounds. The reason is part of the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace stretto::measure {

struct StoppingRule {
  double max_noise = 0.05;  ///< relative half width of the 95 % interval of every quantity's median
  int min_rounds = 9;
  int max_rounds = 500;
  double budget_s = 1.0;
};

enum class StopReason { noise, budget, rounds };

[[nodiscard]] std::string_view to_string(StopReason reason);

/// Collects the rounds of one case and decides when sampling ends.
class Stopper {
 public:
  Stopper(const StoppingRule& rule, std::size_t quantities);

  /// Adds one round: one value per quantity. Throws std::invalid_argument when the number of values
  /// differs.
  void add_round(const std::vector<double>& values);

  /// The reason to stop `elapsed_s` after the case began; nothing when sampling continues.
  [[nodiscard]] std::optional<StopReason> decide(double elapsed_s);

  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  [[nodiscard]] bool precise_enough() const;

  StoppingRule rule_;
  std::vector<std::vector<double>> values_;  // one list of values per quantity
  int rounds_ = 0;
  int next_check_;
};

}  // namespace stretto::measure
