// SPDX-License-Identifier: BSD-3-Clause
// The clock for begin and end of calls. It is the processor's time stamp counter, which takes a third of the
// time of clock_gettime: programs poll millions of times.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace stretto::trace {

/// The time of CLOCK_MONOTONIC, for one thread. Between two readings of the system's clock, at most 1 ms
/// apart, time stamps continue it. The system changes the rate of its clock by at most 500 ppm, so that they
/// are at most 0.5 us off, and by what a reading misses, 0.2 us. Without a steady counter every reading is
/// one of the system's clock.
class CallClock {
 public:
  explicit CallClock(bool uses_counter) : uses_counter_(uses_counter) {}

  /// Whether the time stamp counter has one rate in all states of power, and the kernel itself trusts it.
  [[nodiscard]] static bool has_steady_counter();

  /// Nanoseconds; never less than before.
  [[nodiscard]] std::uint64_t now_ns() {
    std::uint64_t ns = 0;
#if defined(__x86_64__)
    const std::uint64_t since = __rdtsc() - from_.ticks;
    ns = since < valid_ticks_ ? from_.ns + (since * ns_of_a_tick_ >> 32U) : system_ns();
#else
    ns = system_ns();
#endif
    if (ns > last_ns_) last_ns_ = ns;
    return last_ns_;
  }

 private:
  /// One moment on both clocks.
  struct Moment {
    std::uint64_t ticks = 0;
    std::uint64_t ns = 0;
    bool exact = false;  ///< false: the thread lost its processor in between
  };

  static Moment moment();
  /// Reads the system's clock, and begins again from there.
  std::uint64_t system_ns();

  std::uint64_t valid_ticks_ = 0;   ///< for how long after `from_` the rate is used; 0: it is not known
  std::uint64_t ns_of_a_tick_ = 0;  ///< in units of 2^-32
  std::uint64_t last_ns_ = 0;
  Moment from_;
  Moment rate_since_;  ///< the moment from which the rate is measured
  bool uses_counter_;
};

}  // namespace stretto::trace
