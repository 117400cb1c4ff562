// SPDX-License-Identifier: BSD-3-Clause
// The choice of a schedule by trying them: all ranks see the same times, and choose alike.
#include <mpi.h>

#include <optional>
#include <stretto/fft.hpp>
#include <vector>

#include "kernel/fft/engine.hpp"
#include "kernel/trial.hpp"
#include "rma/state.hpp"

namespace stretto::fft {
namespace {

/// Schedules that are not the same in another guise at this number of ranks.
std::vector<Schedule> candidates(const Settings& settings, int ranks) {
  using Shape = Schedule::Shape;
  if (settings.transport == Transport::alltoall || ranks == 1) return {{Shape::packed_slabs}};
  std::vector<Schedule> all{{Shape::packed_slabs}, {Shape::slabs}};
  const auto per_plane = static_cast<std::size_t>(ranks);
  const std::size_t rows = settings.size[1] / per_plane;
  if (rows >= 8) all.push_back({Shape::chunks, 4 * per_plane});
  if (rows > 1) all.push_back({Shape::pencils});
  return all;
}

/// The median time of a forward transform of zeros, on the rank where it took longest.
double time_s(Plan& plan, MPI_Comm communicator) {
  const Settings& settings = plan.settings();
  std::vector<Complex> in(settings.kind == Kind::complex ? settings.batch * plan.input().elements() : 0);
  std::vector<double> real_in(settings.kind == Kind::real ? settings.batch * plan.input().elements() : 0);
  std::vector<Complex> out(settings.batch * plan.spectrum().elements());
  return kernel::trial_s(communicator, [&] {
    if (settings.kind == Kind::complex) {
      plan.forward(std::span<const Complex>(in), out);
    } else {
      plan.forward(std::span<const double>(real_in), out);
    }
  });
}

}  // namespace

Plan Plan::tuned(Runtime& runtime, const Settings& settings) {
  runtime.barrier();
  MPI_Comm communicator = runtime.state()->communicator.get();
  Settings best = settings;
  std::optional<double> best_s;
  for (const Schedule& schedule : candidates(settings, runtime.size())) {
    Settings tried = settings;
    tried.schedule = schedule;
    Plan plan(runtime, tried);
    const double took_s = time_s(plan, communicator);
    if (best_s.has_value() && took_s >= *best_s) continue;
    best_s = took_s;
    best = tried;
  }
  return {runtime, best};
}

}  // namespace stretto::fft
