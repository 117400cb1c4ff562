// SPDX-License-Identifier: BSD-3-Clause
#include "probe/computation.hpp"

#include <algorithm>

namespace stretto::probe {

void run_computation(const ProbeContext& context, const Computation& computation, measure::StepTimer& timer) {
  run_computation(context.worker, computation, timer, [&context] { context.transport.poll(); });
}

void run_computation(measure::Worker& worker, const Computation& computation, measure::StepTimer& timer,
                     const std::function<void()>& poll) {
  if (computation.progress != exchange::ProgressMode::poll) {
    timer.work([&] { worker.work(computation.kind, computation.count); });
    return;
  }
  const std::uint64_t slice = std::max<std::uint64_t>(1, computation.count / computation_slices);
  for (std::uint64_t done = 0; done < computation.count; done += slice) {
    timer.work([&] { worker.work(computation.kind, std::min(slice, computation.count - done)); });
    timer.sync(poll);
  }
}

}  // namespace stretto::probe
