// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
#include <stretto/clock.hpp>

#include "exchange/host.hpp"

namespace stretto::exchange {

std::string_view host_clock_name() { return "CLOCK_MONOTONIC"; }

double host_now_s() { return measure::monotonic_s(); }

// Spins: a sleep would wake some tens of microseconds late.
void host_wait_until(double deadline_s) {
  while (measure::monotonic_s() < deadline_s) {
  }
}

std::string host_clock_domain() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

std::unique_ptr<measure::Worker> host_worker() { return std::make_unique<measure::CountedWorker>(); }

}  // namespace stretto::exchange
