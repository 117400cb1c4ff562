// SPDX-License-Identifier: BSD-3-Clause
// The queue of a network card as the architectural probes' models have it (section 7.2): a message can only
// be handed over when the queue has done with the one before. Real cards have their own; SMPI has none.
#pragma once

#include "measure/team.hpp"

namespace stretto::probe {

class InjectionQueue {
 public:
  /// `gap_s`: what the queue takes for a message; 0: there is no queue.
  InjectionQueue(measure::Team& team, double gap_s) : team_(team), gap_s_(gap_s) {}

  /// Returns when the next message may be handed over (max(o, g) of eq. 5).
  void pass() {
    if (gap_s_ <= 0) return;
    if (team_.now_s() < free_s_) team_.wait_until(free_s_);
    free_s_ = team_.now_s() + gap_s_;
  }

 private:
  measure::Team& team_;
  double gap_s_;
  double free_s_ = 0;
};

}  // namespace stretto::probe
