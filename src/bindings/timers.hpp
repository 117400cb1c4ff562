// SPDX-License-Identifier: BSD-3-Clause
// What transforms and sparse products share: timers and the constants of kernels.h as C has them.
#pragma once

#include <stretto/kernels.h>

#include <stretto/plan_timers.hpp>

#include "bindings/boundary.hpp"

namespace stretto::bindings {

/// The timers of a plan.
inline stretto_timers timers_to_c(const PlanTimers& timers) {
  return {.init_s = timers.init_s,
          .work_s = timers.work_s,
          .sync_s = timers.sync_s,
          .barrier_s = timers.barrier_s};
}

/// `enumerator` of a constant of kernels.h.
template <typename Enumeration>
Enumeration kernel_enumerator(int number, int last, const char* argument) {
  return enumerator<Enumeration>(number, last, argument, "kernels.h");
}

}  // namespace stretto::bindings
