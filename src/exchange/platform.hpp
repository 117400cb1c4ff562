// SPDX-License-Identifier: BSD-3-Clause
// The functions that differ between a real host and one that SMPI simulates: the clock, waiting for a point
// in time, and computation. The build compiles either platform_real.cpp or platform_simulated.cpp.
#pragma once

#include <memory>
#include <stretto/work.hpp>
#include <string>
#include <string_view>

namespace stretto::exchange {

/// The clock's name in the header of samples.
[[nodiscard]] std::string_view clock_name();

/// Seconds on this host's own clock.
[[nodiscard]] double platform_now_s();

/// Returns at the first moment at or after `deadline_s`.
void platform_wait_until(double deadline_s);

/// An identifier that is equal on two hosts if they share one clock; empty where the system does not provide
/// one.
[[nodiscard]] std::string clock_domain();

[[nodiscard]] std::unique_ptr<measure::Worker> make_worker();

}  // namespace stretto::exchange
