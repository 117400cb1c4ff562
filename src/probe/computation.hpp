// SPDX-License-Identifier: BSD-3-Clause
// The computation of a case: its amount, its kind, and whether the rank polls the transport between slices
// of it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "measure/experiment.hpp"
#include "measure/timekeeper.hpp"
#include "probe/probe_context.hpp"

namespace stretto::probe {

struct Computation {
  measure::WorkKind kind = measure::WorkKind::registers;
  std::uint64_t count = 0;
  exchange::ProgressMode progress = exchange::ProgressMode::none;
};

/// Enough slices that a transfer of several segments never waits long, few enough that polls cost little.
inline constexpr std::uint64_t computation_slices = 32;

/// Runs the computation and adds its time to the segment `work`. With progress `poll` it runs in slices; the
/// time of each `poll`, by default of the transport, goes to the segment `sync`.
void run_computation(const ProbeContext& context, const Computation& computation, measure::StepTimer& timer);
void run_computation(measure::Worker& worker, const Computation& computation, measure::StepTimer& timer,
                     const std::function<void()>& poll);

/// The quantities T_c, T_w and T_t of an overlap, as steps of `run(timer, communicate, work)`.
template <typename Run>
[[nodiscard]] std::vector<measure::Quantity> overlap_quantities(std::int64_t messages, Run run) {
  const auto quantity = [&](const char* name, bool communicate, bool work) {
    return measure::Quantity{.name = name,
                             .messages = communicate ? messages : 0,
                             .step = [=](measure::StepTimer& timer) { run(timer, communicate, work); }};
  };
  return {quantity("T_c", true, false), quantity("T_w", false, true), quantity("T_t", true, true)};
}

}  // namespace stretto::probe
