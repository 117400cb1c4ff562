// SPDX-License-Identifier: BSD-3-Clause
#include "probe/ft_rows.hpp"

#include <algorithm>
#include <cmath>

#include "probe/element_pattern.hpp"

namespace stretto::probe {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t cached_bytes = std::size_t{256} << 10;

/// Relative tolerance per element for the different order of additions in a transform.
constexpr double tolerance_per_element = 1e-12;

void write_source(std::span<Complex> row, int rank, std::size_t index, std::uint32_t seed) {
  const std::uint64_t first = 2 * index * row.size();
  for (std::size_t column = 0; column < row.size(); ++column) {
    const std::uint64_t place = first + 2 * column;
    row[column] = {element_pattern(rank, place, seed), element_pattern(rank, place + 1, seed)};
  }
}

}  // namespace

FtRows::FtRows(const FtProblem& problem, const TransformPlan& plan, std::span<Complex> rows, bool all_differ,
               measure::Team& team)
    : problem_(problem),
      plan_(plan),
      rows_(rows),
      rank_(team.rank()),
      source_rows_(all_differ ? problem.rows
                              : std::clamp(cached_bytes / problem.row_bytes(), std::size_t{1}, problem.rows)),
      sources_(source_rows_ * problem.row_length),
      transform_(plan, team) {
  fill(0);
}

void FtRows::fill(std::uint32_t seed) {
  for (std::size_t row = 0; row < source_rows_; ++row) {
    write_source(std::span{sources_}.subspan(row * problem_.row_length, problem_.row_length), rank_, row,
                 seed);
  }
  for (std::size_t row = 0; row < problem_.rows; ++row) {
    std::copy_n(source(row), problem_.row_length, element(row));
  }
}

std::size_t FtRows::wrong_pieces(std::span<const Complex> block, int sender, std::size_t pieces,
                                 std::uint32_t seed, bool transformed) const {
  const std::size_t length = problem_.row_length;
  const std::size_t piece_elements = problem_.block_rows() * length / pieces;
  const double tolerance = tolerance_per_element * static_cast<double>(length);
  std::vector<Complex> original(length);
  std::vector<Complex> expected(length);
  std::vector<bool> wrong(pieces, false);
  for (std::size_t row = 0; row < problem_.block_rows(); ++row) {
    const std::size_t index = static_cast<std::size_t>(rank_) * problem_.block_rows() + row;
    write_source(original, sender, index, seed);
    expected = original;
    if (transformed) transform_.run(original.data(), expected.data());
    for (std::size_t column = 0; column < length; ++column) {
      const std::size_t place = row * length + column;
      // The comparison is also false for NaN.
      const bool right = std::abs(block[place] - expected[column]) <= tolerance;
      if (!right) wrong[place / piece_elements] = true;
    }
  }
  return static_cast<std::size_t>(std::ranges::count(wrong, true));
}

}  // namespace stretto::probe
