// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "kernels/plans/kernel_plan.hpp"

namespace stretto::kernel::plans {

PlanSteps::PlanSteps(const nas::ExchangeMode& mode)
    : mode_(mode), work_(graph_.segment("work")), init_(graph_.segment("init")) {}

void PlanSteps::compute(double flops) {
  if (flops <= 0) return;
  graph_.compute(flops, work_);
  flops_ += flops;
}

std::uint32_t PlanSteps::start(int hop, std::size_t size_bytes) {
  const bool window = mode_.transport == Transport::mpi_rma;
  const auto operation = window ? network::TransferOperation::put : network::TransferOperation::send;
  const std::uint32_t message = graph_.start(static_cast<std::uint32_t>(hop), size_bytes, operation, init_);
  if (mode_.blocking && window) graph_.finish(message);
  return message;
}

void PlanSteps::arrive(std::uint32_t message) {
  if (mode_.transport == Transport::one_sided) {
    graph_.await(message);
  } else {
    graph_.finish(message);
  }
}

void PlanSteps::arrive(const std::vector<std::uint32_t>& messages) {
  for (const std::uint32_t message : messages) arrive(message);
}

void PlanSteps::release(int hop) {
  if (mode_.transport == Transport::one_sided) start(hop, 0);
}

PlanPhase PlanSteps::phase(const std::string& name, std::int64_t times) {
  graph_.name = name;
  return {.schedule = std::move(graph_), .times = times, .flops = flops_};
}

}  // namespace stretto::kernel::plans
