// SPDX-License-Identifier: BSD-3-Clause
// Flat, or on which grid and in how many segments: by the runtime functions, from nothing but what MPI
// requires equal on all ranks. Knows no MPI.
#pragma once

#include <cstdint>
#include <optional>
#include <stretto/collective_form.hpp>

#include "collective/runtime_functions.hpp"

namespace stretto::collective {

/// What was decided for an operation on p ranks, and why.
struct Decision {
  Grid grid;         ///< flat where nothing else is surely faster
  int segments = 1;  ///< of a broadcast or reduce
  std::optional<Prediction> flat;
  std::optional<Prediction> two_phase;  ///< of the best grid, chosen or not
  /// A grid is predicted to be faster, but within the uncertainty of the predictions.
  bool undecided = false;

  /// Of what was chosen; nothing where nothing could be predicted.
  [[nodiscard]] std::optional<Prediction> predicted() const { return grid.is_flat() ? flat : two_phase; }
};

/// The two phases on a regular grid, one after the other (docs/formats.md has the table).
[[nodiscard]] std::optional<Prediction> predict_two_phase(const RuntimeFunctions& functions,
                                                          Operation operation, Algorithm algorithm,
                                                          const Grid& grid, std::uint64_t size_bytes);

/// Of all grids p1 x p2 = ranks the fastest, where it is surely faster than flat.
[[nodiscard]] Decision decide(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                              int ranks, std::uint64_t size_bytes);

/// Calls of about the same size are decided once: four classes from one power of two to the next.
[[nodiscard]] int class_of(std::uint64_t size_bytes);
/// The size that a class is decided by: in its middle.
[[nodiscard]] std::uint64_t middle_of(int size_class);

}  // namespace stretto::collective
