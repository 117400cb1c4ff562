// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/mg.hpp"

#include <cmath>

#include "kernels/nas/mg_cycle.hpp"
#include "kernels/nas/mg_fill.hpp"
#include "kernels/runtime_options.hpp"
#include "kernels/totals.hpp"
#include "kernels/transports.hpp"
#include "plan/platform.hpp"
#include "plan/scope_timer.hpp"
#include "plan/trial.hpp"

namespace stretto::kernel {
namespace {

double mg_points(const nas::MgClass& size) { return std::pow(static_cast<double>(size.points), 3); }

/// The residual's L2 norm, over all ranks.
double mg_norm(const nas::MgCycle& cycle, const nas::MgClass& size, MPI_Comm communicator) {
  double squares = cycle.squares();
  sum_over(communicator, &squares, 1);
  return std::sqrt(squares / mg_points(size));
}

/// Returns the norm after `iterations` cycles from zero. As in the benchmark, the timed part begins with the
/// residual and its norm.
double solve_mg(nas::MgCycle& cycle, const nas::MgClass& size, int iterations, MPI_Comm communicator) {
  const plan::ScopeTimer whole(cycle.timers(), &PlanTimers::work_s);
  cycle.compute_residual();
  (void)mg_norm(cycle, size, communicator);
  for (int i = 0; i < iterations; ++i) cycle.cycle();
  return mg_norm(cycle, size, communicator);
}

nas::MgGrid mg_grid_for(const nas::MgClass& size, MPI_Comm communicator) {
  int rank = 0;
  int ranks = 0;
  mpi::check(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  mpi::check(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  return {rank, ranks, static_cast<int>(size.points)};
}

RunResult run_mg(const Request& request, MPI_Comm communicator) {
  const nas::MgClass& size = nas::mg_class(request.class_name);
  const nas::ExchangeMode mode = nas::exchange_mode_of(request);
  const nas::MgGrid grid = mg_grid_for(size, communicator);
  Runtime runtime(communicator, runtime_options(mode.transport));
  nas::MgCycle cycle(runtime, size, grid, mode);
  fill_right_side(cycle.right_side(), grid, communicator);
  // As in the benchmark, an untimed run of everything.
  if (plan::first_run_differs()) (void)solve_mg(cycle, size, 1, communicator);
  cycle.clear();
  cycle.timers() = {};
  const std::uint64_t messages_before = cycle.messages();
  runtime.barrier();
  const double began_s = plan::now_s();
  const double found = solve_mg(cycle, size, size.iterations, communicator);
  RunResult result{.time_s = largest_over(communicator, plan::now_s() - began_s)};
  const double error = std::abs(found - size.norm) / size.norm;
  result.verified = error <= nas::mg_tolerance;
  // 58 operations per point, as the benchmark counts them.
  result.mops = 58.0 * size.iterations * mg_points(size) / result.time_s / 1e6;
  add_totals(result, cycle.timers(), cycle.messages() - messages_before, communicator);
  result.members = {{"moved_by", std::string(to_string(mode.transport))},
                    {"progress", std::string(to_string(runtime.progress()))},
                    {"grid", std::to_string(grid.ranks_y) + "x" + std::to_string(grid.ranks_z)},
                    {"norm", found},
                    {"error", error}};
  return result;
}

/// A cycle, and the residuals before and after it.
double mg_trial_s(const Request& request, MPI_Comm communicator, double enough_s) {
  const nas::MgClass& size = nas::mg_class(request.class_name);
  const nas::ExchangeMode mode = nas::exchange_mode_of(request);
  const nas::MgGrid grid = mg_grid_for(size, communicator);
  Runtime runtime(communicator, runtime_options(mode.transport));
  nas::MgCycle cycle(runtime, size, grid, mode);
  return plan::trial_s(
      communicator, [&] { (void)solve_mg(cycle, size, 1, communicator); }, enough_s);
}

}  // namespace

const Kernel mg{.name = "mg",
                .about = "NAS MG: multigrid V-cycles, ghost rows exchanged under the rest of each step",
                .classes = nas::class_names,
                .variants = nas::exchange_variants,
                .transports = kernel_transports,
                .two_sided_variant = "two-sided",
                .options = {},
                .variant_prefix = {},
                .run = run_mg,
                .alternatives = nas::exchange_alternatives,
                .trial_s = mg_trial_s};

}  // namespace stretto::kernel
