// SPDX-License-Identifier: BSD-3-Clause
#include "probe/busy.hpp"

#include <algorithm>

namespace stretto::probe {
namespace {

// Enough slices that a transfer of several segments never waits long, few enough that polls cost little.
constexpr std::uint64_t slices = 32;

}  // namespace

void be_busy(const Bench& bench, const Busy& busy, measure::Stage& stage) {
  be_busy(bench.worker, busy, stage, [&bench] { bench.transport.poll(); });
}

void be_busy(measure::Worker& worker, const Busy& busy, measure::Stage& stage,
             const std::function<void()>& poll) {
  if (busy.progress != exchange::ProgressMode::poll) {
    stage.work([&] { worker.work(busy.kind, busy.count); });
    return;
  }
  const std::uint64_t slice = std::max<std::uint64_t>(1, busy.count / slices);
  for (std::uint64_t done = 0; done < busy.count; done += slice) {
    stage.work([&] { worker.work(busy.kind, std::min(slice, busy.count - done)); });
    stage.sync(poll);
  }
}

}  // namespace stretto::probe
