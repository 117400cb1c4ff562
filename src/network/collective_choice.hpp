// SPDX-License-Identifier: BSD-3-Clause
// Flat, on which grid and in how many segments, or undecided: by the runtime functions, from nothing but what
// MPI requires equal on all ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/two_phase.hpp"

namespace stretto::network {

/// 1 - t_two-phase / t_flat with the interval that both deviations leave; negative is a loss.
struct Gain {
  double value = 0;
  double ci95_low = 0;
  double ci95_high = 0;
};

/// Nothing where a time is unknown, or where the flat call may take no time at all.
[[nodiscard]] std::optional<Gain> gain_of(const CallTime& flat, const CallTime& two_phase);

enum class Verdict : std::uint8_t {
  flat,      ///< certainly faster than the best grid, or there is no grid
  grid,      ///< the best grid is certainly faster
  undecided  ///< within the uncertainty of the predictions, or not predicted: flat is used
};

/// What to use for an operation, and why.
struct CollectiveChoice {
  Verdict verdict = Verdict::undecided;
  CallTime flat;
  std::optional<TwoPhaseTime> best;  ///< of all grids; nothing where none has a prediction
  std::optional<Gain> gain;          ///< of `best` over `flat`
  std::string reason;                ///< why there is no comparison; empty where there is one
};

/// The prediction of every p1 x p2 grid, fastest first, those without a prediction last.
[[nodiscard]] std::vector<TwoPhaseTime> all_grids(const RuntimeFunctions& functions, Operation operation,
                                                  Algorithm algorithm, int ranks, std::uint64_t size_bytes);

/// The fastest grid where the intervals of its prediction and of the flat one lie apart.
[[nodiscard]] CollectiveChoice choose(const RuntimeFunctions& functions, Operation operation,
                                      Algorithm algorithm, int ranks, std::uint64_t size_bytes);

/// Calls of about the same size are decided once: four classes from one power of two to the next.
[[nodiscard]] int class_of(std::uint64_t size_bytes);
/// The size that a class is decided by: in its middle.
[[nodiscard]] std::uint64_t middle_of(int size_class);

}  // namespace stretto::network
