// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/choice.hpp"

#include <algorithm>
#include <utility>

namespace stretto::kernel {

Choice choice_of(std::vector<Trial> trials) {
  constexpr double equal = 1.01;
  Choice choice{.trials = std::move(trials), .chosen = 0, .fastest_plain = {}};
  const double fastest_s = std::ranges::min_element(choice.trials, {}, &Trial::time_s)->time_s;
  while (choice.trials[choice.chosen].time_s > equal * fastest_s) ++choice.chosen;
  for (std::size_t i = 0; i < choice.trials.size(); ++i) {
    if (choice.trials[i].alternative.overlapped) continue;
    if (!choice.fastest_plain || choice.trials[i].time_s < choice.trials[*choice.fastest_plain].time_s) {
      choice.fastest_plain = i;
    }
  }
  return choice;
}

}  // namespace stretto::kernel
