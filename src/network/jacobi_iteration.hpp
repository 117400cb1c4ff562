// SPDX-License-Identifier: BSD-3-Clause
// One iteration of the Jacobi method, distributed by rows or by columns: equations 1 and 2 of the two-phase
// paper. kernel/jacobi.hpp runs it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "network/collective_choice.hpp"

namespace stretto::network {

enum class JacobiLayout : std::uint8_t { row, column };

struct JacobiProblem {
  std::int64_t unknowns = 1;  ///< n
  int ranks = 1;              ///< p
};

/// The predicted time of one iteration.
struct JacobiIteration {
  JacobiLayout layout = JacobiLayout::row;
  std::optional<Grid> grid;  ///< grid of its collectives; nothing: flat
  double compute_s = 0;
  CallTime communication;
  std::optional<Gain> gain;  ///< gain over the flat iteration of the same layout, where both are known

  /// Computation plus communication; the paper's program does not overlap them.
  [[nodiscard]] CallTime time() const;
};

/// T_row = 2 n^2/p t_op + t_mb(p, n/p), T_col = 2 n/p (n-1) t_op + t_acc(p, n) + t_sb(p, n): eq. 1, 2, with
/// ceil(n/p) as in the paper's text. Where the messages are known, it adds the effect of consecutive
/// iterations on each other. `operation_s` is t_op.
[[nodiscard]] JacobiIteration predict_iteration(const RuntimeFunctions& functions, Algorithm algorithm,
                                                const JacobiProblem& problem, JacobiLayout layout,
                                                double operation_s, const std::optional<Grid>& grid);

/// A layout and its t_op.
struct JacobiOperationTime {
  JacobiLayout layout = JacobiLayout::row;
  double operation_s = 0;
};

/// The iterations for every layout and grid (an empty entry of `grids`: flat collectives), with their
/// gains. They are sorted by time; those without a prediction are last.
[[nodiscard]] std::vector<JacobiIteration> all_iterations(const RuntimeFunctions& functions,
                                                          Algorithm algorithm, const JacobiProblem& problem,
                                                          std::span<const JacobiOperationTime> layouts,
                                                          std::span<const std::optional<Grid>> grids);

/// The index of the fastest iteration with a prediction that is flat, or that has a grid with a certain
/// gain. A grid without a flat iteration of its layout to compare with is accepted, too. Nothing where none
/// qualifies.
[[nodiscard]] std::optional<std::size_t> choose_iteration(std::span<const JacobiIteration> fastest_first);

}  // namespace stretto::network
