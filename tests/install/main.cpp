// SPDX-License-Identifier: BSD-3-Clause
// Times counted work with what the installed package has, and prints the release.
#include <array>
#include <cstdio>
#include <stretto/clock.hpp>
#include <stretto/statistics.hpp>
#include <stretto/version.hpp>
#include <stretto/work.hpp>
#include <string>

int main() {
  stretto::measure::CountedWorker worker;
  std::array<double, 5> times_s{};
  for (double& time_s : times_s) {
    const double start_s = stretto::measure::monotonic_s();
    worker.work(stretto::measure::WorkKind::registers, 1000);
    time_s = stretto::measure::monotonic_s() - start_s;
  }
  std::printf("stretto %s %s\n", std::string(stretto::version).c_str(),
              std::string(stretto::revision).c_str());
  return stretto::measure::median(times_s) > 0 ? 0 : 1;
}
