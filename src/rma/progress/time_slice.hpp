// SPDX-License-Identifier: BSD-3-Clause
// What a thread that sleeps and works in turn asks of the scheduler. Knows no MPI.
#pragma once

#include <cstdint>
#include <optional>

namespace stretto::rma {

/// The first version of what sched_getattr(2) and sched_setattr(2) speak of; the C library has it from 2.41
/// on only, and the kernel's own header cannot stand beside <sched.h>.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime_ns =
      0;  // under SCHED_OTHER and SCHED_BATCH a turn's length, from Linux 6.12 on; else 0
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};
static_assert(sizeof(SchedulingAttributes) == 48);

/// Of a thread by its number, 0: the calling one; nothing where the kernel does not tell.
[[nodiscard]] std::optional<SchedulingAttributes> scheduling_attributes(int thread = 0);

/// Asks for turns of 0.1 ms, the shortest that Linux gives, for the calling thread: when it wakes on a
/// processor where another computes, it runs at once, and not after the other's turn (milliseconds). Policy
/// and priority stay. Nothing where the kernel knows no such wish (before 6.12), refuses it, or the thread is
/// in a class that it does not apply to.
void ask_for_short_slices();

}  // namespace stretto::rma
