// SPDX-License-Identifier: BSD-3-Clause
// Adds the duration of a scope to one of a kernel's four timers (init_s, work_s, sync_s, barrier_s).
// Subtracts it from work_s, because the other scopes lie inside the one of work_s.
#pragma once

#include <mpi.h>

namespace stretto::plan {

template <typename Timers>
class ScopeTimer {
 public:
  ScopeTimer(Timers& timers, double Timers::*which) : timers_(timers), which_(which), began_s_(MPI_Wtime()) {}
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;
  ~ScopeTimer() {
    const double took_s = MPI_Wtime() - began_s_;
    timers_.*which_ += took_s;
    if (which_ != &Timers::work_s) timers_.work_s -= took_s;
  }

 private:
  Timers& timers_;
  double Timers::*which_;
  double began_s_;
};

}  // namespace stretto::plan
