// SPDX-License-Identifier: BSD-3-Clause
// How fast work goes here when nothing else does: what turns a duration into a count.
#pragma once

#include <span>

#include "measure/timekeeper.hpp"
#include "probe/bench.hpp"
#include "record/sample_file.hpp"

namespace stretto::probe {

/// Times work of `kinds` on all ranks at once, where the slowest counts, and takes the shortest time: an
/// interruption only ever adds. The file gets the median with its interval. Collective; `file` is null except
/// at rank 0.
[[nodiscard]] WorkRates measure_rates(measure::Timekeeper& timekeeper, measure::Worker& worker,
                                      std::span<const measure::WorkKind> kinds, record::SampleFile* file);

}  // namespace stretto::probe
