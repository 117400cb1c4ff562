// SPDX-License-Identifier: BSD-3-Clause
#include "trace/call_clock.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr std::uint64_t shortest_rate_ns = 5'000'000;  // the error of a moment is then below 40 ppm
constexpr std::uint64_t longest_rate_ns = 1'000'000'000;
constexpr std::uint64_t valid_ns = 1'000'000;
constexpr double one = 0x1p32;  // of `ns_of_a_tick_`

}  // namespace

#if defined(__x86_64__)

bool CallClock::has_steady_counter() {
  constexpr unsigned power_leaf = 0x80000007;
  constexpr unsigned invariant_counter = 1U << 8U;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(power_leaf, &a, &b, &c, &d) == 0 || (d & invariant_counter) == 0) return false;
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return (file >> source) && source == "tsc";
}

CallClock::Moment CallClock::moment() {
  constexpr std::uint64_t max_ticks = 1000;  // at least 0.2 us; a reading takes a tenth of that
  const std::uint64_t begin = __rdtsc();
  const std::uint64_t ns = trace::now_ns();
  const std::uint64_t ticks = __rdtsc() - begin;
  return {begin + ticks / 2, ns, ticks <= max_ticks};
}

std::uint64_t CallClock::system_ns() {
  if (!uses_counter_) return trace::now_ns();
  const Moment now = moment();
  valid_ticks_ = 0;
  if (!now.exact) return now.ns;
  const auto begin_again = [this, &now] {
    rate_since_ = now;
    ns_of_a_tick_ = 0;
  };
  // The counter runs while the machine is suspended, and its clock does not. A rate over a long time may
  // include that.
  if (!rate_since_.exact || now.ticks <= rate_since_.ticks || now.ns > rate_since_.ns + 2 * longest_rate_ns) {
    begin_again();
  }
  if (now.ns >= rate_since_.ns + shortest_rate_ns) {
    const std::uint64_t before = ns_of_a_tick_;
    ns_of_a_tick_ = static_cast<std::uint64_t>(static_cast<double>(now.ns - rate_since_.ns) /
                                               static_cast<double>(now.ticks - rate_since_.ticks) * one);
    if (now.ns > rate_since_.ns + longest_rate_ns) rate_since_ = now;
    const std::uint64_t change = std::max(before, ns_of_a_tick_) - std::min(before, ns_of_a_tick_);
    if (before > 0 && change > before / 1000) begin_again();
  }
  if (ns_of_a_tick_ > 0 && ns_of_a_tick_ < 4 * static_cast<std::uint64_t>(one)) {  // else no processor's
    valid_ticks_ = static_cast<std::uint64_t>(valid_ns * one) / ns_of_a_tick_;
  }
  from_ = now;
  return now.ns;
}

#else

bool CallClock::has_steady_counter() { return false; }

std::uint64_t CallClock::system_ns() { return trace::now_ns(); }

#endif

}  // namespace stretto::trace
