// SPDX-License-Identifier: BSD-3-Clause
// The choice between a flat collective and a grid, by the runtime functions. It depends only on values that
// MPI requires to be equal on all ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/two_phase.hpp"

namespace stretto::network {

/// 1 - t_two-phase / t_flat, with the interval that follows from both deviations. A negative value is a
/// loss.
struct Gain {
  double value = 0;
  double ci95_low = 0;
  double ci95_high = 0;
};

/// The gain of `two_phase` over `flat`; nothing where a time is unknown, or where the flat time may be
/// zero.
[[nodiscard]] std::optional<Gain> gain_of(const CallTime& flat, const CallTime& two_phase);

enum class Verdict : std::uint8_t {
  flat,      ///< the interval shows that flat is faster than the best grid, or there is no grid
  grid,      ///< the interval shows that the best grid is faster
  undecided  ///< within the uncertainty of the predictions, or not predicted: flat is used
};

/// The choice for one operation, and its reason.
struct CollectiveChoice {
  Verdict verdict = Verdict::undecided;
  CallTime flat;
  /// The fastest grid that is certainly faster than flat, or the fastest; nothing where none has a
  /// prediction.
  std::optional<TwoPhaseTime> best;
  std::optional<Gain> gain;  ///< gain of `best` over `flat`
  std::string reason;        ///< why there is no comparison; empty where there is one
};

/// The ragged grids that are considered: rows of a power of two ranks, and rows of the ranks of a node.
[[nodiscard]] std::vector<Grid> ragged_grids(int ranks, int ranks_per_node);

/// The predictions of all p1 x p2 grids, and with the library's algorithms of ragged ones, fastest first;
/// those without a prediction are last.
[[nodiscard]] std::vector<TwoPhaseTime> all_grids(const RuntimeFunctions& functions, Operation operation,
                                                  Algorithm algorithm, int ranks, std::uint64_t size_bytes);

/// Chooses the fastest grid with an interval that lies below that of flat, or flat where the fastest grid
/// lies above it.
[[nodiscard]] CollectiveChoice choose(const RuntimeFunctions& functions, Operation operation,
                                      Algorithm algorithm, int ranks, std::uint64_t size_bytes);

/// The size for which a call is decided: its own where calls of this size were measured, else the middle of
/// its class.
[[nodiscard]] std::uint64_t decided_size(const RuntimeFunctions& functions, std::uint64_t size_bytes);

/// The size class of a call. Calls of one class share a decision, apart from those of a measured size; there
/// are four classes per factor of two.
[[nodiscard]] int class_of(std::uint64_t size_bytes);
/// The size in the middle of a class, for which the class is decided.
[[nodiscard]] std::uint64_t middle_of(int size_class);

}  // namespace stretto::network
