// SPDX-License-Identifier: BSD-3-Clause
#include "network/path_costs.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::network {

const LogGp& PathCosts::loggp_at(std::uint64_t size_bytes) const {
  const auto above = std::ranges::upper_bound(ranges, size_bytes, {}, &NetworkRange::from_bytes);
  return above == ranges.begin() ? ranges.front().loggp : std::prev(above)->loggp;
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
