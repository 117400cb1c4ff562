// SPDX-License-Identifier: BSD-3-Clause
// NAS kernels as schedules, for machines on which they cannot be run: the figures of the papers have up to
// 256 ranks of class D. Each plan takes neighbours, sizes and steps from the functions that the kernel itself
// uses. What a rank waits for depends on the transport (docs/kernels.md). Over `stretto` it is the flag that
// travels with a put in one message. Over `mpi-two-sided` it is the send and the matching receive; over
// `mpi-rma` it is all puts and a barrier.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/nas/classes.hpp"
#include "kernels/nas/exchange_mode.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::kernel::plans {

struct PlanRequest {
  Request kernel;  ///< class, variant and transport
  int ranks = 2;
  std::optional<int> iterations;  ///< instead of the class's
};

/// A schedule that is repeated `times` times. Its parts are floating-point operations, `flops` in all.
struct PlanPhase {
  network::ScheduleGraph schedule;
  std::int64_t times = 1;
  double flops = 0;
};

// The phases of a run. They throw std::invalid_argument where the kernel refuses the number of ranks.
[[nodiscard]] std::vector<PlanPhase> cg_plan(const PlanRequest& request);
[[nodiscard]] std::vector<PlanPhase> ft_plan(const PlanRequest& request);
[[nodiscard]] std::vector<PlanPhase> mg_plan(const PlanRequest& request);

/// Builds the steps of a rank for one exchange mode.
class PlanSteps {
 public:
  /// Blocking: every put to a window completes before the next step. Puts of `stretto` are sent as messages;
  /// their source is reusable at once.
  explicit PlanSteps(const nas::ExchangeMode& mode);

  void compute(double flops);
  /// Starts a message to the rank `hop` further on; returns its number.
  std::uint32_t start(int hop, std::size_t size_bytes);
  /// Waits for the incoming message that corresponds to this outgoing one.
  void arrive(std::uint32_t message);
  void arrive(const std::vector<std::uint32_t>& messages);
  /// Notifies a rank that its data was read; over `stretto` by a flag without data.
  void release(int hop);

  /// The phase with the steps added so far.
  [[nodiscard]] PlanPhase phase(const std::string& name, std::int64_t times);

 private:
  nas::ExchangeMode mode_;
  network::ScheduleGraph graph_;
  std::uint8_t work_;
  std::uint8_t init_;
  double flops_ = 0;
};

}  // namespace stretto::kernel::plans
