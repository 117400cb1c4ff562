// SPDX-License-Identifier: BSD-3-Clause
// The scheduler time slice of a thread. Knows no MPI.
#pragma once

#include <cstdint>
#include <optional>

namespace stretto::progress {

/// The first version of the struct of sched_getattr(2) and sched_setattr(2). The C library has it from 2.41
/// on only, and the kernel's own header cannot be included together with <sched.h>.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  // Under SCHED_OTHER and SCHED_BATCH the length of a time slice, from Linux 6.12 on; else 0.
  std::uint64_t runtime_ns = 0;
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};
static_assert(sizeof(SchedulingAttributes) == 48);

/// The attributes of a thread by its number, 0: the calling one. Nothing where the kernel refuses.
[[nodiscard]] std::optional<SchedulingAttributes> scheduling_attributes(int thread = 0);

/// Requests a time slice of 0.1 ms, the shortest that Linux has, for the calling thread. When the thread
/// wakes on a processor where another one computes, it then runs at once, and not after the other's slice of
/// milliseconds. Policy and priority stay. This does nothing where the kernel has no such request (before
/// 6.12), where it refuses, and in scheduling classes without slices.
void request_short_time_slice();

}  // namespace stretto::progress
