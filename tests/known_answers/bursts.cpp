// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/bursts.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::known_answers {

Bursts::Bursts(const BurstShape& shape, std::uint64_t seed, int rank)
    : shape_(shape), generator_(seed * 1000003 + static_cast<std::uint64_t>(rank)) {}

void Bursts::draw_beyond(double time_s) {
  // Distributions of the standard library differ between implementations; these are the same everywhere.
  const auto uniform = [this] { return (static_cast<double>(generator_() >> 11) + 0.5) * 0x1p-53; };
  while (slices_.empty() || slices_.back().begin_s <= time_s) {
    double begin_s = drawn_until_s_ - shape_.every_s * std::log(uniform());
    const double duration_s = shape_.shortest_s * std::pow(shape_.longest_s / shape_.shortest_s, uniform());
    const double end_s = begin_s + duration_s;
    for (; begin_s < end_s; begin_s += 2 * burst_slice_s) {
      const double lost_s =
          slices_.empty() ? 0 : slices_.back().lost_before_s + slices_.back().end_s - slices_.back().begin_s;
      slices_.push_back({begin_s, std::min(begin_s + burst_slice_s, end_s), lost_s});
    }
    drawn_until_s_ = end_s;
  }
}

std::size_t Bursts::first_after(double time_s) {
  draw_beyond(time_s);
  const auto first = std::upper_bound(slices_.begin(), slices_.end(), time_s,
                                      [](double time, const Slice& slice) { return time < slice.end_s; });
  return static_cast<std::size_t>(first - slices_.begin());
}

double Bursts::end_of(double begin_s, double need_s) {
  if (shape_.every_s <= 0) return begin_s + need_s;
  double time_s = begin_s;
  for (std::size_t next = first_after(time_s);; ++next) {
    if (next == slices_.size()) draw_beyond(slices_.back().end_s);
    const double free_s = std::max(0.0, slices_[next].begin_s - time_s);
    if (need_s < free_s) return time_s + need_s;
    need_s -= free_s;
    time_s = slices_[next].end_s;
  }
}

double Bursts::lost_until(double time_s) {
  if (shape_.every_s <= 0) return 0;
  const Slice& slice = slices_[first_after(time_s)];
  return slice.lost_before_s + std::max(0.0, time_s - slice.begin_s);
}

std::int64_t Bursts::switches_until(double time_s) {
  if (shape_.every_s <= 0) return 0;
  const std::size_t place = first_after(time_s);
  return static_cast<std::int64_t>(place) + (slices_[place].begin_s < time_s ? 1 : 0);
}

}  // namespace stretto::known_answers
