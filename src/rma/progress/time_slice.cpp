// SPDX-License-Identifier: BSD-3-Clause
#include "rma/progress/time_slice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stretto::rma {
namespace {

constexpr int this_thread = 0;
constexpr unsigned no_flags = 0;
constexpr std::uint64_t slice_ns = 100'000;

}  // namespace

std::optional<SchedulingAttributes> scheduling_attributes(int thread) {
  SchedulingAttributes found;
  if (syscall(SYS_sched_getattr, thread, &found, sizeof found, no_flags) != 0) return std::nullopt;
  return found;
}

void ask_for_short_slices() {
  std::optional<SchedulingAttributes> wanted = scheduling_attributes();
  if (!wanted || (wanted->policy != SCHED_OTHER && wanted->policy != SCHED_BATCH)) return;
  wanted->runtime_ns = slice_ns;
  syscall(SYS_sched_setattr, this_thread, &*wanted, no_flags);
}

}  // namespace stretto::rma
