// SPDX-License-Identifier: BSD-3-Clause
// How a rank waits: it makes progress itself, gives its core away when there is none, and says after a while
// whom it waits for.
#pragma once

#include <chrono>
#include <string>

namespace stretto::rma {

struct State;

class Patience {
 public:
  /// `what` is a noun for messages; `target` the rank that must answer, -1: all.
  Patience(State& state, const char* what, int target) : state_(state), what_(what), target_(target) {}

  /// One round. Throws TimeoutError after Options::timeout_s.
  void wait_a_little();

 private:
  void look_at_clock();

  State& state_;
  const char* what_;
  int target_;
  unsigned rounds_ = 0;
  bool reported_ = false;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace stretto::rma
