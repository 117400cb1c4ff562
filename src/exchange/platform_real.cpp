// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
#include <stretto/clock.hpp>

#include "exchange/platform.hpp"

namespace stretto::exchange {

std::string_view clock_name() { return "CLOCK_MONOTONIC"; }

double platform_now_s() { return measure::monotonic_s(); }

// Spins, because a sleep would end some tens of microseconds late.
void platform_wait_until(double deadline_s) {
  while (measure::monotonic_s() < deadline_s) {
  }
}

std::string clock_domain() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

std::unique_ptr<measure::Worker> make_worker() { return std::make_unique<measure::CountedWorker>(); }

}  // namespace stretto::exchange
