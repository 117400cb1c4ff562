// SPDX-License-Identifier: BSD-3-Clause
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <ctime>
#include <fstream>

#include "exchange/platform.hpp"
#include "measure/clock.hpp"

namespace stretto::exchange {

std::string_view clock_name() { return "CLOCK_MONOTONIC"; }

double platform_now_s() { return measure::monotonic_s(); }

// Spins, because a sleep would end some tens of microseconds late.
void platform_wait_until(double deadline_s) {
  while (measure::monotonic_s() < deadline_s) {
  }
}

void platform_sleep_until(double deadline_s) {
  static thread_local const int slack = ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // 50 us by default
  (void)slack;
  const double whole_s = std::floor(deadline_s);
  const timespec deadline{.tv_sec = static_cast<time_t>(whole_s),
                          .tv_nsec = static_cast<long>((deadline_s - whole_s) * 1e9)};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
  }
  platform_wait_until(deadline_s);  // less than what a double can tell
}

int platform_cores() { return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)); }

std::string clock_domain() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

std::unique_ptr<measure::Worker> make_worker() { return std::make_unique<measure::CountedWorker>(); }

}  // namespace stretto::exchange
