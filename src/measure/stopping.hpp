// SPDX-License-Identifier: BSD-3-Clause
// When there are enough rounds of a case: the requested noise is reached, or the time or the
// number of rounds is spent. Which of these it was is part of the result.
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

enum class EndedBy { noise, budget, rounds };

[[nodiscard]] std::string_view to_string(EndedBy reason);

/// Watches the rounds of one case.
class Stopper {
 public:
  Stopper(const StoppingRule& rule, std::size_t quantities);

  /// One value a quantity. Throws std::invalid_argument when there are more or fewer.
  void add_round(const std::vector<double>& values);

  /// Why sampling ends now, `elapsed_s` after the case began; nothing when it goes on.
  [[nodiscard]] std::optional<EndedBy> decide(double elapsed_s);

  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  [[nodiscard]] bool quiet() const;

  StoppingRule rule_;
  std::vector<std::vector<double>> values_;  // by quantity
  int rounds_ = 0;
  int next_look_;
};

}  // namespace stretto::measure
