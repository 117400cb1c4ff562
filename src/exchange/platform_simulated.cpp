// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's time advances only in calls that it knows: MPI_Wtime reads it, a sleep advances it. Computation
// is a number of flops passed in one call (smpi/simulate-computation is off).
#include <mpi.h>

#include <cmath>
#include <ctime>

#include "exchange/platform.hpp"

namespace stretto::exchange {
namespace {

class SimulatedWorker final : public measure::Worker {
 public:
  // The kind does not matter: simulated memory is never contended.
  void work(measure::WorkKind /*kind*/, std::uint64_t count) override {
    if (count > 0) smpi_execute_flops(measure::flops_per_count * static_cast<double>(count));
  }
  [[nodiscard]] bool real() const override { return false; }
  void compute(double peak_flops, const std::function<void()>& body) override {
    body();
    if (peak_flops > 0) smpi_execute_flops(peak_flops);
  }
};

}  // namespace

std::string_view clock_name() { return "SimGrid"; }

double platform_now_s() { return MPI_Wtime(); }

void platform_wait_until(double deadline_s) {
  const double left_s = deadline_s - MPI_Wtime();
  if (left_s <= 0) return;
  const double whole_s = std::floor(left_s);
  const timespec duration{.tv_sec = static_cast<time_t>(whole_s),
                          .tv_nsec = static_cast<long>(std::ceil((left_s - whole_s) * 1e9))};
  // SMPI's compiler replaces nanosleep; usleep would round to whole microseconds.
  nanosleep(&duration, nullptr);
}

void platform_sleep_until(double deadline_s) { platform_wait_until(deadline_s); }

int platform_cores() { return 0; }

std::string clock_domain() { return "SimGrid"; }

std::unique_ptr<measure::Worker> make_worker() { return std::make_unique<SimulatedWorker>(); }

// No other program runs on a simulated machine.
measure::ProcessorAccount platform_processor_account() { return {}; }
std::optional<measure::HostActivity> platform_activity() { return std::nullopt; }
void platform_rest(double /*seconds*/) {}

}  // namespace stretto::exchange
