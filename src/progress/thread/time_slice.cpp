// SPDX-License-Identifier: BSD-3-Clause
#include "progress/thread/time_slice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stretto::progress {
namespace {

constexpr int this_thread = 0;
constexpr unsigned no_flags = 0;
constexpr std::uint64_t slice_ns = 100'000;

}  // namespace

std::optional<SchedulingAttributes> scheduling_attributes(int thread) {
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, thread, &attributes, sizeof attributes, no_flags) != 0) return std::nullopt;
  return attributes;
}

void request_short_time_slice() {
  std::optional<SchedulingAttributes> attributes = scheduling_attributes();
  if (!attributes || (attributes->policy != SCHED_OTHER && attributes->policy != SCHED_BATCH)) return;
  attributes->runtime_ns = slice_ns;
  syscall(SYS_sched_setattr, this_thread, &*attributes, no_flags);
}

}  // namespace stretto::progress
