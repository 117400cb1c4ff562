// SPDX-License-Identifier: BSD-3-Clause
// What transforms and sparse products share: timers and enumerators as C has them.
#pragma once

#include <stretto/kernels.h>

#include <stretto/error.hpp>
#include <stretto/plan_timers.hpp>
#include <string>

namespace stretto::bindings {

/// The timers of a plan.
inline stretto_timers timers_to_c(const PlanTimers& timers) {
  return {.init_s = timers.init_s,
          .work_s = timers.work_s,
          .sync_s = timers.sync_s,
          .barrier_s = timers.barrier_s};
}

/// The enumerator of a number from 0 to `last`. Throws ArgumentError for others.
template <typename Enumeration>
Enumeration enumerator(int number, int last, const char* name) {
  if (number < 0 || number > last) {
    throw ArgumentError(name, std::to_string(number) + " is none of the constants of kernels.h");
  }
  return static_cast<Enumeration>(number);
}

}  // namespace stretto::bindings
