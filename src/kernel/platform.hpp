// SPDX-License-Identifier: BSD-3-Clause
// What differs for a kernel between a real machine and one that SMPI simulates: its clock, and that computing
// takes simulated time only where it says how much it is. One of host_real.cpp and host_simulated.cpp is
// compiled in.
#pragma once

namespace stretto::kernel {

/// Seconds on this host's own clock.
[[nodiscard]] double now_s();

/// The rank has just done so many floating-point operations: their time on a simulated machine, nothing on a
/// real one.
void computed(double flops);

/// Whether many ranks share one process, so that what can be computed again should not be stored.
[[nodiscard]] bool memory_is_shared();

/// Whether memory that is touched for the first time takes longer, so that a first run tells nothing.
[[nodiscard]] bool first_run_differs();

}  // namespace stretto::kernel
