// SPDX-License-Identifier: BSD-3-Clause
// The form of a collective operation: in one piece (flat), or in two phases on a grid of its ranks; its
// algorithms, and its number of segments. Knows no MPI.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::collective {

enum class Operation { broadcast, gather, scatter, reduce, allreduce, allgather, reduce_scatter, alltoall };

inline constexpr Operation all_operations[] = {
    Operation::broadcast, Operation::gather,    Operation::scatter,        Operation::reduce,
    Operation::allreduce, Operation::allgather, Operation::reduce_scatter, Operation::alltoall};

/// `broadcast`, `reduce-scatter`, ...
[[nodiscard]] std::string_view to_string(Operation operation);
[[nodiscard]] std::optional<Operation> operation_from(std::string_view name);

/// Whether one rank has all the data before or after it.
[[nodiscard]] constexpr bool is_rooted(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::gather ||
         operation == Operation::scatter || operation == Operation::reduce;
}

/// p1 x p2: p1 row groups of p2 consecutive ranks each, and so p2 column groups of p1 ranks. Rank r is in row
/// r / p2 and column r % p2. The last row may be shorter (a ragged grid): p need not be p1 * p2.
struct Grid {
  int rows = 0;     ///< p1
  int columns = 0;  ///< p2

  /// Each phase would be the whole: one row, or one column.
  [[nodiscard]] bool is_flat() const { return rows < 2 || columns < 2; }
  /// Whether all rows are full.
  [[nodiscard]] bool is_regular(int ranks) const { return static_cast<long long>(rows) * columns == ranks; }
  /// Whether `ranks` fill all rows but the last, and begin that.
  [[nodiscard]] bool holds(int ranks) const;

  friend bool operator==(const Grid&, const Grid&) = default;
  friend auto operator<=>(const Grid&, const Grid&) = default;
};

/// `4x24`; `flat` for one that is.
[[nodiscard]] std::string to_string(const Grid& grid);

/// `flat` or `P1xP2`; nothing for another text.
[[nodiscard]] std::optional<Grid> grid_from(std::string_view text);

/// All p1 x p2 = ranks with p1, p2 >= 2, p1 ascending; none for a prime.
[[nodiscard]] std::vector<Grid> factorisations(int ranks);

/// The grid with p2 columns that holds `ranks`, ragged where p2 does not divide them.
[[nodiscard]] Grid grid_of_columns(int ranks, int columns);

/// The algorithms of the flat form and of the phases: the MPI library's, or the linear and binomial ones of
/// LAM MPI (docs/collectives.md).
enum class Algorithm { library, reference };

[[nodiscard]] std::string_view to_string(Algorithm algorithm);
[[nodiscard]] std::optional<Algorithm> algorithm_from(std::string_view name);

struct Form {
  Grid grid;  ///< flat by default
  Algorithm algorithm = Algorithm::library;
  /// The segments of a broadcast or reduce in two phases: the phases of one segment run concurrently with
  /// those of the next.
  int segments = 1;
};

}  // namespace stretto::collective
