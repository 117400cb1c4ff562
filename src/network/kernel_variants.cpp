// SPDX-License-Identifier: BSD-3-Clause
#include "network/kernel_variants.hpp"

namespace stretto::network {

const std::vector<std::string>& kernel_transports() {
  static const std::vector<std::string> transports{"mpi-two-sided", "stretto", "mpi-rma"};
  return transports;
}

std::vector<VariantName> exchange_variants() {
  std::vector<VariantName> found{
      {"two-sided", "mpi-two-sided", {}}, {"blocking", "stretto", {}}, {"blocking", "mpi-rma", {}}};
  for (const std::string& transport : kernel_transports()) {
    found.push_back({"nonblocking", transport, {}, true});
  }
  return found;
}

KernelProgram::KernelProgram(std::string transport, bool blocking)
    : transport_(std::move(transport)),
      blocking_(blocking),
      work_(graph_.segment("work")),
      init_(graph_.segment("init")) {}

void KernelProgram::compute(double share) {
  if (share > 0) graph_.compute(share, work_);
}

std::uint32_t KernelProgram::start(std::int64_t hop, std::int64_t size_bytes) {
  const bool window = transport_ == "mpi-rma";
  const auto operation = window ? TransferOperation::put : TransferOperation::send;
  const std::uint32_t message =
      graph_.start(static_cast<std::uint32_t>(hop), static_cast<std::uint64_t>(size_bytes), operation, init_);
  if (blocking_ && window) graph_.finish(message);
  return message;
}

std::uint32_t KernelProgram::get(std::int64_t hop, std::int64_t size_bytes) {
  return graph_.start(static_cast<std::uint32_t>(hop), static_cast<std::uint64_t>(size_bytes),
                      TransferOperation::get, init_);
}

void KernelProgram::arrive(std::uint32_t message) {
  if (transport_ == "stretto") {
    graph_.await(message);
  } else {
    graph_.finish(message);
  }
}

void KernelProgram::arrive(const std::vector<std::uint32_t>& messages) {
  for (const std::uint32_t message : messages) arrive(message);
}

void KernelProgram::release(std::int64_t hop) {
  if (transport_ == "stretto") start(hop, 0);
}

KernelPhase KernelProgram::phase(const std::string& name, std::int64_t ranks, std::int64_t times,
                                 double flops) {
  graph_.name = name;
  graph_.ranks = static_cast<int>(ranks);
  return {.schedule = std::move(graph_), .times = times, .flops = flops};
}

}  // namespace stretto::network
