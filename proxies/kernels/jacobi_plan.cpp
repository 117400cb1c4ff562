// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/jacobi_plan.hpp"

#include <stdexcept>
#include <string>

#include "collective/communicator_state.hpp"

namespace stretto::kernel {
namespace {

using collective::Grid;

collective::Algorithm algorithm_of(const Request& request) {
  const std::string name = request.text("algorithm", "library");
  const auto algorithm = collective::algorithm_from(name);
  if (!algorithm) throw std::invalid_argument("--set algorithm=" + name + ": give library or reference");
  return *algorithm;
}

Grid grid_of(const Request& request, int ranks) {
  const std::string text = request.text("grid", "flat");
  const auto grid = collective::grid_from(text);
  if (!grid || !(grid->is_flat() || grid->holds(ranks))) {
    throw std::invalid_argument("--set grid=" + text + ": give flat, auto, or P1xP2 that holds " +
                                std::to_string(ranks) + " ranks");
  }
  return *grid;
}

}  // namespace

JacobiPlan jacobi_plan(const Request& request, const mpi::Communicator& team) {
  const JacobiPlan plan{
      .by_row = request.variant == "row",
      .form = {.grid = grid_of(request, team.size()), .algorithm = algorithm_of(request), .segments = 1}};
  if (!plan.form.grid.is_flat()) (void)collective::CommunicatorState::of(team.get()).groups(plan.form.grid);
  return plan;
}

}  // namespace stretto::kernel
