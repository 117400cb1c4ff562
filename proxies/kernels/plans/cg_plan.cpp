// SPDX-License-Identifier: BSD-3-Clause
// NAS CG: products and sums, on the grid of the kernel.
#include "kernels/nas/cg_layout.hpp"
#include "kernels/plans/kernel_plan.hpp"

namespace stretto::kernel::plans {
namespace {

class CgPlan {
 public:
  CgPlan(const PlanRequest& request, const nas::CgClass& size)
      : size_(size),
        mode_(nas::exchange_mode_of(request.kernel)),
        layout_(size.rows, request.ranks, mode_.overlap) {}

  /// The product: receives the pieces of the grid column, and sends the sums of each rank of the grid row as
  /// soon as they are computed.
  [[nodiscard]] PlanPhase product() const {
    const double flops =
        2.0 * static_cast<double>(size_.rows) * nas::cg_nonzeros_of_row(size_) / layout_.pieces.ranks;
    const double own_flops = layout_.split ? flops / layout_.rows : 0;
    PlanSteps steps(mode_);
    std::vector<std::uint32_t> coming;
    for (int hop = 1; hop < layout_.rows; ++hop) coming.push_back(start_piece(steps, hop * layout_.columns));
    steps.compute(own_flops);
    steps.arrive(coming);
    if (!mode_.overlap) steps.compute(flops);
    const std::vector<std::uint32_t> leaving = fold(steps, mode_.overlap ? flops - own_flops : 0);
    for (int hop = 1; hop < layout_.rows; ++hop) steps.release(hop * layout_.columns);
    steps.arrive(leaving);
    for (int hop = 1; hop < layout_.columns; ++hop) steps.release(hop);
    return steps.phase("cg product", std::int64_t{size_.iterations} * nas::cg_products);
  }

  [[nodiscard]] PlanPhase sum() const {
    PlanSteps steps(mode_);
    for (const auto& [count, step] :
         {std::pair{layout_.columns, 1}, std::pair{layout_.rows, layout_.columns}}) {
      std::vector<std::uint32_t> messages;
      for (int hop = 1; hop < count; ++hop) messages.push_back(steps.start(hop * step, sizeof(double)));
      steps.arrive(messages);
    }
    // About two of the five vector updates per sum.
    steps.compute(4.0 * static_cast<double>(size_.rows) / layout_.pieces.ranks);
    return steps.phase("cg sum", std::int64_t{size_.iterations} * nas::cg_sums);
  }

 private:
  std::uint32_t start_piece(PlanSteps& steps, int hop) const {
    return steps.start(hop, layout_.pieces.largest() * sizeof(double));
  }

  /// Sends the sums of the ranks of the grid row in chunks, the rank's own rows last. With overlap they are
  /// computed here.
  std::vector<std::uint32_t> fold(PlanSteps& steps, double flops) const {
    const plan::BlockDistribution chunks{layout_.pieces.largest(), layout_.chunks};
    std::vector<std::uint32_t> messages;
    for (int hop = 1; hop <= layout_.columns; ++hop) {
      for (int chunk = 0; chunk < layout_.chunks; ++chunk) {
        steps.compute(flops / layout_.columns / layout_.chunks);
        if (hop < layout_.columns) messages.push_back(steps.start(hop, chunks.largest() * sizeof(double)));
      }
    }
    return messages;
  }

  const nas::CgClass& size_;
  nas::ExchangeMode mode_;
  nas::CgLayout layout_;
};

}  // namespace

std::vector<PlanPhase> cg_plan(const PlanRequest& request) {
  nas::CgClass size = nas::cg_class(request.kernel.class_name);
  size.iterations = request.iterations.value_or(size.iterations);
  const CgPlan plan(request, size);
  return {plan.product(), plan.sum()};
}

}  // namespace stretto::kernel::plans
