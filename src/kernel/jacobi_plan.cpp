// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/jacobi_plan.hpp"

#include <stdexcept>

#include "collective/chooser.hpp"

namespace stretto::kernel {
namespace {

using collective::Grid;
using collective::Operation;

collective::Algorithm algorithm_of(const Request& request) {
  const std::string name = request.text("algorithm", "library");
  const auto algorithm = collective::algorithm_from(name);
  if (!algorithm) throw std::invalid_argument("--set algorithm=" + name + ": give library or reference");
  return *algorithm;
}

/// The same grid for all operations, as asked; nothing where the model is to choose.
std::optional<Grid> grid_of(const Request& request, int ranks) {
  const std::string text = request.text("grid", "flat");
  if (text == "model") return std::nullopt;
  const auto grid = collective::grid_from(text);
  if (!grid || !(grid->is_flat() || grid->holds(ranks))) {
    throw std::invalid_argument("--set grid=" + text + ": give flat, model, or P1xP2 that holds " +
                                std::to_string(ranks) + " ranks");
  }
  return grid;
}

/// Reads the profile that was named; one is needed where the model is to choose.
void load_profile(const Request& request, const mpi::Communicator& team) {
  const std::string path = request.text("profile", "");
  if (path.empty()) {
    if (request.variant == "model" || request.text("grid", "flat") == "model") {
      throw std::invalid_argument("the model needs --set profile=FILE, with runtime functions");
    }
    return;
  }
  try {
    collective::load_profile(path, team.get());
  } catch (const std::runtime_error& error) {
    throw std::invalid_argument("--set profile: " + std::string{error.what()});
  }
}

/// One operation's form, its groups made, and the time that is predicted for it.
std::optional<double> plan_operation(Operation operation, std::int64_t bytes, const std::optional<Grid>& grid,
                                     const mpi::Communicator& team, collective::Form& form) {
  const collective::Chooser& chooser = collective::Chooser::instance();
  form.algorithm = chooser.algorithm();
  if (team.size() < 2) return 0.0;
  collective::Kept& kept = collective::Kept::of(team.get());
  const auto size_bytes = static_cast<std::uint64_t>(bytes);
  collective::Decision decision = chooser.decision(kept, operation, size_bytes);
  if (grid) {
    decision.grid = *grid;
    decision.segments = 1;
    decision.two_phase =
        predict_two_phase(chooser.functions(), operation, chooser.algorithm(), *grid, size_bytes);
  }
  form.grid = decision.grid;
  form.segments = decision.segments;
  if (!form.grid.is_flat()) (void)kept.groups(form.grid);
  const auto predicted = decision.predicted();
  return predicted ? std::optional{predicted->time_s} : std::nullopt;
}

/// The layout that was asked for, or the one whose communication is predicted to be shorter: both compute
/// alike.
bool is_by_row(const Request& request, const JacobiPlan& plan) {
  if (request.variant != "model") return request.variant == "row";
  if (!plan.row_s || !plan.column_s) {
    throw std::invalid_argument(
        "--variant model: the profile predicts no allgather, reduce and broadcast of this size on so many "
        "ranks");
  }
  return *plan.row_s <= *plan.column_s;
}

}  // namespace

JacobiPlan jacobi_plan(const Request& request, const JacobiSystem& system, const mpi::Communicator& team) {
  collective::use_algorithm(algorithm_of(request));
  const auto grid = grid_of(request, team.size());
  load_profile(request, team);
  constexpr auto value_bytes = static_cast<std::int64_t>(sizeof(double));
  const std::int64_t whole = system.n() * value_bytes;
  const std::int64_t part = (system.n() + team.size() - 1) / team.size() * value_bytes;
  JacobiPlan plan;
  plan.row_s = plan_operation(Operation::allgather, part, grid, team, plan.allgather);
  const auto reduce_s = plan_operation(Operation::reduce, whole, grid, team, plan.reduce);
  const auto broadcast_s = plan_operation(Operation::broadcast, whole, grid, team, plan.broadcast);
  if (reduce_s && broadcast_s) plan.column_s = *reduce_s + *broadcast_s;
  plan.by_row = is_by_row(request, plan);
  return plan;
}

}  // namespace stretto::kernel
