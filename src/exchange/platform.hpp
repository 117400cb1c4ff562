// SPDX-License-Identifier: BSD-3-Clause
// What differs between a real host and one that SMPI simulates: its clock, how one waits for a moment,
// and its computation. One of platform_real.cpp and platform_simulated.cpp is compiled in.
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

/// Equal on two hosts that share one clock, else different; empty where the system does not say.
[[nodiscard]] std::string clock_domain();

[[nodiscard]] std::unique_ptr<measure::Worker> make_worker();

}  // namespace stretto::exchange
