// SPDX-License-Identifier: BSD-3-Clause
// The choice of a schedule, by a profile at rank 0, or by timing the candidates: all ranks see the same times
// and choose alike.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stretto/error.hpp>
#include <stretto/fft.hpp>
#include <vector>

#include "fft/candidate_schedules.hpp"
#include "fft/engine.hpp"
#include "fft/predicted.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "plan/trial.hpp"

namespace stretto::fft {
namespace {

/// The median time of a forward transform of zeros on the slowest rank.
double time_s(Plan& plan, MPI_Comm communicator) {
  const Settings& settings = plan.settings();
  std::vector<Complex> in(settings.kind == Kind::complex ? settings.batch * plan.input().elements() : 0);
  std::vector<double> real_in(settings.kind == Kind::real ? settings.batch * plan.input().elements() : 0);
  std::vector<Complex> out(settings.batch * plan.spectrum().elements());
  return plan::trial_s(communicator, [&] {
    if (settings.kind == Kind::complex) {
      plan.forward(std::span<const Complex>(in), out);
    } else {
      plan.forward(std::span<const double>(real_in), out);
    }
  });
}

/// The costs in the profile for this transport, with the runtime's progress mode or else without a progress
/// thread.
std::optional<profile::MachineCosts> costs_of(const std::string& file, const Settings& settings,
                                              const Runtime& runtime) {
  network::TransferClass transfers{.transport = "stretto", .operation = "put"};
  if (settings.transport == Transport::one_sided) {
    transfers.progress = to_string(runtime.progress());
  } else if (settings.transport == Transport::mpi_rma) {
    transfers.transport = "mpi-rma";
  } else {
    transfers = {.transport = "mpi-two-sided", .operation = "send"};
  }
  return profile::read_machine_costs(file, transfers, runtime.size(), settings.size[2]);
}

Completion completion_of(Transport transport) {
  return transport == Transport::mpi_rma ? Completion::acknowledgement : Completion::arrival;
}

/// The index, at rank 0, of the first schedule within a hundredth of the fastest; -1: not predictable.
int predicted_best(const std::vector<Schedule>& schedules, const Settings& settings, const Runtime& runtime,
                   const std::string& file) {
  constexpr double equal = 1.01;
  const auto costs = costs_of(file, settings, runtime);
  if (!costs) return -1;
  std::vector<double> times_s;
  for (const Schedule& schedule : schedules) {
    Settings tried = settings;
    tried.schedule = schedule;
    times_s.push_back(predicted_s(tried, runtime.size(), *costs, completion_of(settings.transport)));
  }
  const double enough_s = equal * *std::ranges::min_element(times_s);
  const auto first = std::ranges::find_if(times_s, [enough_s](double s) { return s <= enough_s; });
  return static_cast<int>(first - times_s.begin());
}

/// The schedule that the profile predicts, equal on all ranks; rank 0 reads the file, or STRETTO_PROFILE.
/// Empty: the schedules must be timed. `settings` must be validated.
std::optional<Schedule> chosen_by_profile(const std::vector<Schedule>& schedules, const Settings& settings,
                                          const Runtime& runtime, std::string file) {
  const bool in_slabs = settings.grid[1] == 1;  // the model covers only slabs
  if (schedules.size() < 2 || !in_slabs) return std::nullopt;
  const mpi::Communicator communicator(runtime.communicator());
  int best = -1;
  std::string error;
  if (runtime.rank() == 0) {
    const char* const named = std::getenv("STRETTO_PROFILE");
    if (file.empty() && named != nullptr) file = named;
    try {
      if (!file.empty()) best = predicted_best(schedules, settings, runtime, file);
    } catch (const std::exception& caught) {
      error = caught.what();
    }
  }
  error = communicator.broadcast(error);
  if (!error.empty()) throw Error(error);
  mpi::check(MPI_Bcast(&best, 1, MPI_INT, 0, communicator.get()), "MPI_Bcast");
  if (best < 0) return std::nullopt;
  return schedules[static_cast<std::size_t>(best)];
}

}  // namespace

std::vector<Schedule> candidate_schedules(const Settings& settings, int ranks) {
  using Shape = Schedule::Shape;
  if (settings.transport == Transport::alltoall || ranks == 1) return {{Shape::packed_slabs}};
  std::vector<Schedule> all{{Shape::packed_slabs}, {Shape::slabs}};
  const auto per_plane = static_cast<std::size_t>(ranks);
  const std::size_t rows = settings.size[1] / per_plane;
  if (rows >= 8) all.push_back({Shape::chunks, 4 * per_plane});
  if (rows > 1) all.push_back({Shape::pencils});
  return all;
}

Plan Plan::tuned(Runtime& runtime, const Settings& settings, const std::string& profile) {
  runtime.barrier();
  const std::vector<Schedule> schedules = candidate_schedules(settings, runtime.size());
  Settings requested = settings;
  requested.schedule = schedules.front();
  requested = agreed_settings(runtime, requested);
  if (const auto chosen = chosen_by_profile(schedules, requested, runtime, profile)) {
    requested.schedule = *chosen;
    return {runtime, requested};
  }
  MPI_Comm communicator = runtime.communicator();
  Settings best = requested;
  std::optional<double> best_s;
  for (const Schedule& schedule : schedules) {
    Settings tried = requested;
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
