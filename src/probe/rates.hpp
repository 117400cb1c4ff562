// SPDX-License-Identifier: BSD-3-Clause
// The rate of each kind of computation without communication. It converts a duration into a count.
#pragma once

#include <span>

#include "measure/timekeeper.hpp"
#include "probe/probe_context.hpp"
#include "record/sample_file.hpp"

namespace stretto::probe {

/// Times computation of `kinds` on all ranks at once, where the slowest rank counts. The result is the
/// shortest time, because interruptions only add time; the file gets the median with its interval.
/// Collective; `file` is null except at rank 0.
[[nodiscard]] WorkRates measure_rates(measure::Timekeeper& timekeeper, measure::Worker& worker,
                                      std::span<const measure::WorkKind> kinds, record::SampleFile* file);

}  // namespace stretto::probe
