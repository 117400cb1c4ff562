// SPDX-License-Identifier: BSD-3-Clause
// The functions that differ between a real host and one that SMPI simulates: the clock, waiting for a point
// in time, computation, and what other programs take. The build compiles either platform_real.cpp and
// platform_accounts.cpp, or platform_simulated.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "measure/preemption.hpp"
#include "measure/work.hpp"

namespace stretto::exchange {

/// The clock's name in the header of samples.
[[nodiscard]] std::string_view clock_name();

/// Seconds on this host's own clock.
[[nodiscard]] double platform_now_s();

/// Returns at the first moment at or after `deadline_s`.
void platform_wait_until(double deadline_s);

/// The same without the processor; it returns some tens of microseconds later.
void platform_sleep_until(double deadline_s);

/// The cores of this machine; 0: not known.
[[nodiscard]] int platform_cores();

/// An identifier that is equal on two hosts if they share one clock; empty where the system does not provide
/// one.
[[nodiscard]] std::string clock_domain();

[[nodiscard]] std::unique_ptr<measure::Worker> make_worker();

/// The account of the calling thread. Zero where the system keeps none.
[[nodiscard]] measure::ProcessorAccount platform_processor_account();

/// The account of this machine, without member `machine`. Nothing where the system keeps none.
[[nodiscard]] std::optional<measure::HostActivity> platform_activity();

/// Sleeps.
void platform_rest(double seconds);

}  // namespace stretto::exchange
