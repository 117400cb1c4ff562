// SPDX-License-Identifier: BSD-3-Clause
#include "probe/rates.hpp"

#include <algorithm>
#include <vector>

#include "measure/statistics.hpp"

namespace stretto::probe {
namespace {

constexpr double long_enough_s = 2e-3;
constexpr std::uint64_t max_counts = std::uint64_t{1} << 40;
constexpr int rate_samples = 15;

/// A count that takes at least `long_enough_s`, found by doubling.
std::uint64_t lasting_count(measure::Timekeeper& timekeeper, measure::Worker& worker,
                            measure::WorkKind kind) {
  std::uint64_t count = 64;
  const auto step = [&](measure::StepTimer&) { worker.work(kind, count); };
  while (count < max_counts && timekeeper.shortest_time_s(step) < long_enough_s) count *= 2;
  return count;
}

}  // namespace

WorkRates measure_rates(measure::Timekeeper& timekeeper, measure::Worker& worker,
                        std::span<const measure::WorkKind> kinds, record::SampleFile* file) {
  WorkRates rates;
  for (const measure::WorkKind kind : kinds) {
    const std::uint64_t count = lasting_count(timekeeper, worker, kind);
    std::vector<double> seconds_per_count =
        timekeeper.times_s([&](measure::StepTimer&) { worker.work(kind, count); }, rate_samples);
    for (double& value : seconds_per_count) value /= static_cast<double>(count);
    rates.seconds_per_count[static_cast<std::size_t>(kind)] = std::ranges::min(seconds_per_count);
    if (file == nullptr) continue;
    const measure::Interval interval = measure::bootstrap_median(seconds_per_count, 1);
    file->append(record::WorkRate{.work_kind = std::string{to_string(kind)},
                                  .seconds_per_count = measure::median(seconds_per_count),
                                  .ci95_low = interval.low,
                                  .ci95_high = interval.high,
                                  .n = static_cast<int>(seconds_per_count.size())});
  }
  return rates;
}

}  // namespace stretto::probe
