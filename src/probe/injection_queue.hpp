// SPDX-License-Identifier: BSD-3-Clause
// The injection queue of a network card in the models of the architectural probes (section 7.2): it accepts
// a message only after the one before has left. Real cards have their own; SMPI models none.
#pragma once

#include "measure/team.hpp"

namespace stretto::probe {

class InjectionQueue {
 public:
  /// `gap_s`: the time that the queue takes per message; 0: no queue.
  InjectionQueue(measure::Team& team, double gap_s) : team_(team), gap_s_(gap_s) {}

  /// Returns when the queue accepts the next message (max(o, g) of eq. 5).
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
