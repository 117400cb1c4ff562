// SPDX-License-Identifier: BSD-3-Clause
#include "probe/computation.hpp"

#include <algorithm>

namespace stretto::probe {
namespace {

// Enough slices that a transfer of several segments never waits long, few enough that polls cost little.
constexpr std::uint64_t slices = 32;

}  // namespace

void run_computation(const ProbeContext& context, const Computation& computation, measure::StepTimer& timer) {
  if (computation.progress != exchange::ProgressMode::poll) {
    timer.work([&] { context.worker.work(computation.kind, computation.count); });
    return;
  }
  const std::uint64_t slice = std::max<std::uint64_t>(1, computation.count / slices);
  for (std::uint64_t done = 0; done < computation.count; done += slice) {
    timer.work([&] { context.worker.work(computation.kind, std::min(slice, computation.count - done)); });
    timer.sync([&] { context.transport.poll(); });
  }
}

}  // namespace stretto::probe
