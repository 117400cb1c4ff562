// SPDX-License-Identifier: BSD-3-Clause
// NAS FT in slabs: the transforms of a run, by the steps of stretto's own transform.
#include <algorithm>
#include <stdexcept>
#include <stretto/fft.hpp>

#include "fft/transform_steps.hpp"
#include "kernels/nas/ft.hpp"
#include "kernels/plans/kernel_plan.hpp"

namespace stretto::kernel::plans {
namespace {

/// What transform_steps.hpp asks of a rank.
class FtRank {
 public:
  explicit FtRank(PlanSteps& steps) : steps_(steps) {}

  void compute(double flops) { steps_.compute(flops); }
  std::uint32_t start(int hop, std::size_t size_bytes) { return steps_.start(hop, size_bytes); }
  void await(std::uint32_t message) { steps_.arrive(message); }

 private:
  PlanSteps& steps_;
};

nas::ExchangeMode mode_of(const Request& request) {
  return {.transport =
              request.variant == "alltoall" ? Transport::two_sided : transport_from(request.transport)};
}

fft::Schedule schedule_of(const Request& request) {
  return fft::schedule_from(request.variant == "alltoall" ? "packed-slabs" : request.variant);
}

}  // namespace

std::vector<PlanPhase> ft_plan(const PlanRequest& request) {
  const nas::FtClass& size = nas::ft_class(request.kernel.class_name);
  const int ranks = request.ranks;
  if (static_cast<std::size_t>(ranks) > std::min(size.ny, size.nz)) {
    throw std::invalid_argument("slabs need a plane for each rank");
  }
  const nas::ExchangeMode mode = mode_of(request.kernel);
  // All transforms but one are backward: from planes of y to planes of z.
  const fft::TransposeShape shape =
      fft::transpose_shape(schedule_of(request.kernel), {size.ny, ranks}, {size.nz, ranks}, size.nx);
  const auto plane_points = static_cast<double>(size.nx * size.nz);
  PlanSteps steps(mode);
  FtRank rank(steps);
  const auto messages =
      fft::produce_steps(rank, shape,
                         {.columns = fft::line_flops(size.nz) * static_cast<double>(size.nx) +
                                     nas::ft_evolve_flops * plane_points,
                          .rows = fft::line_flops(size.nx) * static_cast<double>(size.nz)});
  fft::consume_steps(rank, shape, messages, size.ny, [](std::size_t) {});
  PlanSteps first(mode);
  first.compute(nas::ft_initial_flops * plane_points * static_cast<double>(shape.a.largest()));
  const int iterations = request.iterations.value_or(size.iterations);
  return {first.phase("initial conditions", 1), steps.phase("ft " + request.kernel.variant, iterations + 1)};
}

}  // namespace stretto::kernel::plans
