// SPDX-License-Identifier: BSD-3-Clause
// Whether a plan can be used: not by two calls at once, and not after an exception has interrupted one. Its
// ranks would then be at different places of the exchange.
#pragma once

#include <atomic>
#include <exception>
#include <stretto/error.hpp>

namespace stretto::plan {

struct PlanState {
  std::atomic<bool> in_use{false};
  bool interrupted = false;
};

/// One call of a plan. Throws Error where the plan cannot be used.
class UseOfPlan {
 public:
  explicit UseOfPlan(PlanState& state) : state_(state) {
    if (state.in_use.exchange(true)) {
      throw Error("the plan is in use: by its own callback, or by another thread");
    }
    if (state.interrupted) {
      state.in_use = false;
      throw Error("the plan cannot be used any more: an exception has interrupted it; make another");
    }
  }
  UseOfPlan(const UseOfPlan&) = delete;
  UseOfPlan& operator=(const UseOfPlan&) = delete;
  ~UseOfPlan() { state_.in_use = false; }

 private:
  PlanState& state_;
};

/// The part of a call in which other ranks take part.
class Communication {
 public:
  explicit Communication(PlanState& state) : state_(state), exceptions_(std::uncaught_exceptions()) {}
  Communication(const Communication&) = delete;
  Communication& operator=(const Communication&) = delete;
  ~Communication() {
    if (std::uncaught_exceptions() > exceptions_) state_.interrupted = true;
  }

 private:
  PlanState& state_;
  int exceptions_;
};

}  // namespace stretto::plan
