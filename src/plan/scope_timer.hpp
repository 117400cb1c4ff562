// SPDX-License-Identifier: BSD-3-Clause
// Adds the duration of a scope to one of a plan's timers.
// Subtracts it from work_s, because the other scopes lie inside the one of work_s.
#pragma once

#include <mpi.h>

#include <stretto/plan_timers.hpp>

namespace stretto::plan {

class ScopeTimer {
 public:
  ScopeTimer(PlanTimers& timers, double PlanTimers::*which)
      : timers_(timers), which_(which), began_s_(MPI_Wtime()) {}
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;
  ~ScopeTimer() {
    const double took_s = MPI_Wtime() - began_s_;
    timers_.*which_ += took_s;
    if (which_ != &PlanTimers::work_s) timers_.work_s -= took_s;
  }

 private:
  PlanTimers& timers_;
  double PlanTimers::*which_;
  double began_s_;
};

}  // namespace stretto::plan
