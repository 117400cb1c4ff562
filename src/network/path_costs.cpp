// SPDX-License-Identifier: BSD-3-Clause
#include "network/path_costs.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::network {

void PathCosts::add(const std::vector<NetworkRange>& others) {
  ranges.insert(ranges.end(), others.begin(), others.end());
  std::ranges::stable_sort(ranges, {}, &NetworkRange::from_bytes);
}

void PathCosts::set_byte_gap(double gap_s_per_byte) {
  for (NetworkRange& range : ranges) range.loggp.gap_s_per_byte = gap_s_per_byte;
}

void PathCosts::speed_up_bytes(double factor) {
  for (NetworkRange& range : ranges) range.loggp.gap_s_per_byte /= factor;
}

double PathCosts::overlap_at(std::uint64_t size_bytes) const {
  if (overlap.empty()) return 1;
  const auto distance = [size_bytes](const OverlapAt& one) {
    return std::abs(std::log(static_cast<double>(std::max<std::uint64_t>(one.size_bytes, 1)) /
                             static_cast<double>(std::max<std::uint64_t>(size_bytes, 1))));
  };
  return std::clamp(std::ranges::min_element(overlap, {}, distance)->eta, 0.0, 1.0);
}

TransferCosts PathCosts::at(std::uint64_t size_bytes) const {
  return {.loggp = loggp_at(size_bytes),
          .overlap = overlap_at(size_bytes),
          .steal = steal,
          .unattended_bytes = unattended_bytes};
}

double unattended_bytes(const std::vector<OverlapAt>& overlap) {
  constexpr double lasting = 0.5;
  if (overlap.empty()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  double held_bytes = 0;
  for (const OverlapAt& one : overlap) {
    largest = std::max(largest, one.eta);
    held_bytes = std::max(held_bytes, one.eta * static_cast<double>(one.size_bytes));
  }
  const bool lasts = overlap.back().eta >= lasting * largest;
  return lasts ? std::numeric_limits<double>::infinity() : held_bytes;
}

}  // namespace stretto::network
