// SPDX-License-Identifier: BSD-3-Clause
// The initial elements of FT and SPMV. Each value identifies the rank and the place that it comes from.
#pragma once

#include <cstdint>

namespace stretto::probe {

/// A value in [-0.5, 0.5), different for each rank, place and seed (SplitMix64: Steele, Lea and Stream,
/// OOPSLA 2014).
[[nodiscard]] inline double element_pattern(int rank, std::uint64_t place, std::uint32_t seed) {
  std::uint64_t mixed = place + 0x9e3779b97f4a7c15ULL * ((static_cast<std::uint64_t>(rank) << 32 | seed) + 1);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  mixed ^= mixed >> 31;
  return static_cast<double>(mixed >> 11) * 0x1p-53 - 0.5;
}

}  // namespace stretto::probe
