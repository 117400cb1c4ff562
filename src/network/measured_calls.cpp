// SPDX-License-Identifier: BSD-3-Clause
#include "network/measured_calls.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace stretto::network {
namespace {

double on_line(const MeasuredTime& low, const MeasuredTime& high, std::uint64_t size_bytes) {
  const double share = static_cast<double>(size_bytes - low.size_bytes) /
                       static_cast<double>(high.size_bytes - low.size_bytes);
  return low.time_s + share * (high.time_s - low.time_s);
}

/// The relative deviation of the time at `place` from the line through its neighbours; nothing at an end.
std::optional<double> left_out(const std::vector<MeasuredTime>& times, std::size_t place) {
  if (place == 0 || place + 1 == times.size()) return std::nullopt;
  const double predicted_s = on_line(times[place - 1], times[place + 1], times[place].size_bytes);
  return std::abs(predicted_s / times[place].time_s - 1);
}

}  // namespace

std::optional<MeasuredTime> MeasuredCall::at(std::uint64_t size_bytes) const {
  const auto above = std::ranges::lower_bound(times, size_bytes, {}, &MeasuredTime::size_bytes);
  if (above == times.end()) return std::nullopt;
  if (above->size_bytes == size_bytes) return *above;
  if (above == times.begin()) return std::nullopt;
  const auto below = std::prev(above);
  const auto place = static_cast<std::size_t>(below - times.begin());
  const auto ends = {left_out(times, place), left_out(times, place + 1)};
  const std::optional<double> bend = std::ranges::max(ends);  // nothing is less than any number
  if (!bend) return std::nullopt;
  return MeasuredTime{.size_bytes = size_bytes,
                      .time_s = on_line(*below, *above, size_bytes),
                      .deviation = std::max(below->deviation, above->deviation) + *bend};
}

std::vector<std::uint64_t> sizes_of(const std::vector<MeasuredCall>& calls) {
  std::set<std::uint64_t> sizes;
  for (const MeasuredCall& call : calls) {
    for (const MeasuredTime& time : call.times) sizes.insert(time.size_bytes);
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace stretto::network
