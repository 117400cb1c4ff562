// SPDX-License-Identifier: BSD-3-Clause
// Bursts of other programs on a virtual machine. While a burst lasts, a rank and another program take turns
// on its core, a time slice each. Every rank has bursts of its own.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace stretto::known_answers {

/// When bursts begin, and how long they last.
struct BurstShape {
  double every_s = 0;     ///< mean time from the end of one to the beginning of the next; 0: none ever
  double shortest_s = 0;  ///< durations are uniform in their logarithm
  double longest_s = 0;
};

/// The time slice of the scheduler.
inline constexpr double burst_slice_s = 3e-3;

/// The bursts of one rank. They depend on shape, seed and rank only, not on what is asked.
class Bursts {
 public:
  Bursts(const BurstShape& shape, std::uint64_t seed, int rank);

  /// When a rank that begins at `begin_s`, and needs `need_s` of processor time, has got it.
  [[nodiscard]] double end_of(double begin_s, double need_s);

  /// How long the rank could not run until `time_s`.
  [[nodiscard]] double lost_until(double time_s);
  /// How often another program took the core from it until `time_s`.
  [[nodiscard]] std::int64_t switches_until(double time_s);

 private:
  /// A time in which another program has the core, and the time lost before it.
  struct Slice {
    double begin_s = 0;
    double end_s = 0;
    double lost_before_s = 0;
  };

  /// Draws bursts until one begins after `time_s`.
  void draw_beyond(double time_s);
  /// The first slice that ends after `time_s`; there is one.
  [[nodiscard]] std::size_t first_after(double time_s);

  BurstShape shape_;
  std::mt19937_64 generator_;
  std::vector<Slice> slices_;
  double drawn_until_s_ = 0;
};

}  // namespace stretto::known_answers
