// SPDX-License-Identifier: BSD-3-Clause
// The functions that differ for a computation between a real machine and one that SMPI simulates: the clock,
// and the simulated time of computation, which the computation must state. The build compiles either
// platform_real.cpp or platform_simulated.cpp.
#pragma once

namespace stretto::plan {

/// Seconds on this host's own clock.
[[nodiscard]] double now_s();

/// Reports floating-point operations that the rank has just executed. They take time on a simulated machine
/// only.
void computed(double flops);

/// Whether many ranks share one process. Data that can be recomputed should not be stored then.
[[nodiscard]] bool memory_is_shared();

/// Whether the first access to memory takes longer, so that a first run must not be timed.
[[nodiscard]] bool first_run_differs();

}  // namespace stretto::plan
