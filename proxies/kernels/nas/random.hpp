// SPDX-License-Identifier: BSD-3-Clause
// The random numbers of the NAS Parallel Benchmarks: x(k+1) = a x(k) mod 2^46, as x 2^-46 (RNR-94-007,
// section 2.3). In 64-bit integers the remainder is a mask.
#pragma once

#include <cstdint>

namespace stretto::kernel::nas {

constexpr std::uint64_t random_mask = (std::uint64_t{1} << 46U) - 1;
constexpr std::uint64_t random_multiplier = 1220703125;  // 5^13
constexpr std::uint64_t random_seed = 314159265;

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t multiplier = random_multiplier)
      : state_(seed), multiplier_(multiplier) {}

  /// The next number, above 0 and below 1.
  double next() {
    state_ = (state_ * multiplier_) & random_mask;
    return static_cast<double>(state_) * 0x1p-46;
  }

  /// Advances the generator as `count` calls of next() would.
  void skip(std::uint64_t count) {
    std::uint64_t power = multiplier_;
    for (; count > 0; count >>= 1U) {
      if ((count & 1U) != 0) state_ = (state_ * power) & random_mask;
      power = (power * power) & random_mask;
    }
  }

 private:
  std::uint64_t state_;
  std::uint64_t multiplier_;
};

}  // namespace stretto::kernel::nas
