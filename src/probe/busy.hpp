// SPDX-License-Identifier: BSD-3-Clause
// Work of a case: how much, of which kind, and whether the rank polls its transport between slices of it.
#pragma once

#include <cstdint>

#include "measure/timekeeper.hpp"
#include "probe/bench.hpp"

namespace stretto::probe {

struct Busy {
  measure::WorkKind kind = measure::WorkKind::registers;
  std::uint64_t count = 0;
  exchange::ProgressMode progress = exchange::ProgressMode::none;
};

/// Does the work in laps of `work`; with `poll` in 32 slices, each poll in a lap of `sync`.
void be_busy(const Bench& bench, const Busy& busy, measure::Stage& stage);

}  // namespace stretto::probe
