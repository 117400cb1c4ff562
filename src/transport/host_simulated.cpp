// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's time moves only in calls that it knows: MPI_Wtime reads it, a sleep passes it, and work is
// flops that are handed over in one piece (smpi/simulate-computation is off).
#include <mpi.h>
#include <unistd.h>

#include "transport/host.hpp"

namespace stretto::transport {
namespace {

/// One count of work, whatever its kind: simulated memory is never contended.
constexpr double flops_per_count = 64;

class SimulatedWorker final : public measure::Worker {
 public:
  void work(measure::WorkKind /*kind*/, std::uint64_t count) override {
    if (count > 0) smpi_execute_flops(flops_per_count * static_cast<double>(count));
  }
};

}  // namespace

std::string_view host_clock_name() { return "SimGrid"; }

double host_now_s() { return MPI_Wtime(); }

void host_wait_until(double deadline_s) {
  const double left_s = deadline_s - MPI_Wtime();
  if (left_s > 0) ::usleep(static_cast<useconds_t>(left_s * 1e6 + 1));
}

std::string host_clock_domain() { return "SimGrid"; }

std::unique_ptr<measure::Worker> host_worker() { return std::make_unique<SimulatedWorker>(); }

}  // namespace stretto::transport
