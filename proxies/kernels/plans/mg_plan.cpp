// SPDX-License-Identifier: BSD-3-Clause
// NAS MG: the phases of a run, from the steps of its V-cycle and the messages of each level.
#include <bit>
#include <string>
#include <vector>

#include "kernels/nas/exchange_mode.hpp"
#include "kernels/nas/mg_boundary.hpp"
#include "kernels/nas/mg_messages.hpp"
#include "kernels/nas/mg_rows.hpp"
#include "kernels/nas/mg_steps.hpp"
#include "kernels/plans/kernel_plan.hpp"

namespace stretto::kernel::plans {
namespace {

using nas::MgExtent;
using nas::MgRound;
using nas::MgStep;

double points_of(const MgExtent& extent) {
  return static_cast<double>(extent.nx) * extent.ny * static_cast<double>(extent.nz);
}

/// The share of a rank's rows that other ranks need.
double boundary_share(const MgExtent& extent) {
  const nas::MgBoundary boundary(extent, 1, 0);
  const auto length = [](nas::MgRange range) { return static_cast<double>(range.end - range.begin); };
  return 1 - length(boundary.y.core) * length(boundary.z.core) / (extent.ny * static_cast<double>(extent.nz));
}

class MgPlan {
 public:
  MgPlan(const PlanRequest& request, const nas::MgClass& size)
      : size_(size),
        mode_(nas::exchange_mode_of(request.kernel)),
        grid_(0, request.ranks, static_cast<int>(size.points)) {}

  [[nodiscard]] std::vector<PlanPhase> phases() {
    const int top = std::bit_width(size_.points) - 2;
    for (const MgStep& step : nas::v_cycle(top)) add(step, step.level == top);
    // The run begins with the residual.
    PlanSteps first(mode_);
    first.compute(nas::stencil_flops * points_of(level(top)));
    phases_.push_back(first.phase("mg residual", 1));
    return std::move(phases_);
  }

 private:
  [[nodiscard]] MgExtent level(int number) const { return grid_.extent(2 << number); }

  void add(const MgStep& step, bool finest) {
    const MgExtent extent = level(step.level);
    const double points = points_of(extent);
    switch (step.kind) {
      case MgStep::Kind::restriction:
        restriction(step.level);
        break;
      case MgStep::Kind::prolongation:
        halo("prolong", extent, (nas::interpolation_flops + nas::stencil_flops) * points);
        break;
      case MgStep::Kind::correction:  // on the finest level with the residual
        halo("correct", extent, (finest ? 2 : 1) * nas::stencil_flops * points);
        break;
    }
  }

  void restriction(int number) {
    const MgExtent fine = level(number);
    const double flops = nas::restriction_flops * points_of(fine) / 8;
    if (!fine.split_z) return exchange("restrict", {}, fine.nx, 1, flops);
    exchange("restrict", {nas::fold_round(fine)}, fine.nx / 2, boundary_share(fine) / 2, flops);
    const MgExtent coarse = level(number - 1);
    if (coarse.split_z) return;
    PlanSteps steps(mode_);
    for (const MgRound& round : nas::gather_rounds(grid_, coarse.nx)) {
      steps.arrive(start(steps, round, coarse.nx));
    }
    phases_.push_back(steps.phase("mg gather", size_.iterations));
  }

  void halo(const std::string& name, const MgExtent& extent, double flops) {
    if (!extent.split_z) return exchange(name, {}, extent.nx, 1, flops);
    exchange(name, nas::halo_rounds(extent, mode_.overlap), extent.nx, boundary_share(extent), flops);
  }

  /// With overlap the `boundary` share of the computation comes before the messages, the rest behind them.
  void exchange(const std::string& name, const std::vector<MgRound>& rounds, int nx, double boundary,
                double flops) {
    PlanSteps steps(mode_);
    const double rest = mode_.overlap ? (1 - boundary) * flops : 0;
    steps.compute(flops - rest);
    for (const MgRound& round : rounds) {
      const auto messages = start(steps, round, nx);
      if (&round == &rounds.front()) steps.compute(rest);
      steps.arrive(messages);
    }
    phases_.push_back(steps.phase("mg " + name, size_.iterations));
  }

  [[nodiscard]] std::vector<std::uint32_t> start(PlanSteps& steps, const MgRound& round, int nx) const {
    std::vector<std::uint32_t> messages;
    for (const nas::MgMessage& message : round) {
      messages.push_back(
          steps.start(grid_.neighbour(message.dy, message.dz), message.from.values(nx) * sizeof(double)));
    }
    return messages;
  }

  const nas::MgClass& size_;
  nas::ExchangeMode mode_;
  nas::MgGrid grid_;  // of rank 0, so that a neighbour's number is its distance
  std::vector<PlanPhase> phases_;
};

}  // namespace

std::vector<PlanPhase> mg_plan(const PlanRequest& request) {
  nas::MgClass size = nas::mg_class(request.kernel.class_name);
  size.iterations = request.iterations.value_or(size.iterations);
  return MgPlan(request, size).phases();
}

}  // namespace stretto::kernel::plans
