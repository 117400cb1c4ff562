// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/grouped_rows.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "plan/platform.hpp"

namespace stretto::spmv {
namespace {

/// The maximum rows of a group: their sums fit into the registers of every processor.
constexpr std::size_t max_rows = 8;

std::uint64_t hash_of(const SparseRows& matrix, std::size_t index) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a, a column at a time
  for (std::size_t k = matrix.start[index]; k < matrix.start[index + 1]; ++k) {
    hash = (hash ^ matrix.column[k]) * 0x100000001B3U;
  }
  return hash;
}

bool same_columns(const SparseRows& matrix, std::size_t a, std::size_t b) {
  const auto begin = matrix.column.begin();
  const auto at = [&](std::size_t index) { return begin + static_cast<std::ptrdiff_t>(matrix.start[index]); };
  return std::equal(at(a), at(a + 1), at(b), at(b + 1));
}

/// Groups of rows with the same columns, in the order of each group's first row.
std::vector<std::vector<std::uint32_t>> rows_of_equal_columns(const SparseRows& matrix) {
  std::vector<std::vector<std::uint32_t>> sets;
  std::unordered_multimap<std::uint64_t, std::size_t> known;
  known.reserve(matrix.row.size());
  for (std::size_t index = 0; index < matrix.row.size(); ++index) {
    const std::uint64_t hash = hash_of(matrix, index);
    const auto [first, last] = known.equal_range(hash);
    const auto found = std::find_if(
        first, last, [&](const auto& one) { return same_columns(matrix, sets[one.second].front(), index); });
    if (found != last) {
      sets[found->second].push_back(static_cast<std::uint32_t>(index));
    } else {
      known.emplace(hash, sets.size());
      sets.push_back({static_cast<std::uint32_t>(index)});
    }
  }
  return sets;
}

using Sums = std::array<double, max_rows>;

/// The products of `rows` rows with x. Two accumulators per row hide the latency of an addition.
template <std::size_t rows>
void multiply_group(const double* value, const std::uint32_t* column, std::size_t columns, const double* x,
                    Sums& sums) {
  std::array<double, rows> even{};
  std::array<double, rows> odd{};
  std::size_t k = 0;
  for (; k + 2 <= columns; k += 2, value += 2 * rows) {
    const double x0 = x[column[k]];
    const double x1 = x[column[k + 1]];
    for (std::size_t r = 0; r < rows; ++r) {
      even[r] += value[r] * x0;
      odd[r] += value[rows + r] * x1;
    }
  }
  if (k < columns) {
    for (std::size_t r = 0; r < rows; ++r) even[r] += value[r] * x[column[k]];
  }
  for (std::size_t r = 0; r < rows; ++r) sums[r] = even[r] + odd[r];
}

/// A single row uses four accumulators to hide the latency.
template <>
void multiply_group<1>(const double* value, const std::uint32_t* column, std::size_t columns, const double* x,
                       Sums& sums) {
  std::array<double, 4> part{};
  std::size_t k = 0;
  for (; k + 4 <= columns; k += 4) {
    for (std::size_t i = 0; i < 4; ++i) part[i] += value[k + i] * x[column[k + i]];
  }
  for (; k < columns; ++k) part[0] += value[k] * x[column[k]];
  sums[0] = (part[0] + part[1]) + (part[2] + part[3]);
}

using MultiplyGroup = void (*)(const double*, const std::uint32_t*, std::size_t, const double*, Sums&);

template <std::size_t... index>
constexpr std::array<MultiplyGroup, max_rows> by_rows(std::index_sequence<index...> /*rows*/) {
  return {multiply_group<index + 1>...};
}

}  // namespace

void SparseRows::add(std::uint32_t in_row, std::uint32_t in_column, double element) {
  if (row.empty() || row.back() != in_row) {
    row.push_back(in_row);
    start.push_back(start.back());
  }
  column.push_back(in_column);
  value.push_back(element);
  ++start.back();
}

GroupedRows::GroupedRows(const SparseRows& matrix) {
  row_.reserve(matrix.row.size());
  value_.reserve(matrix.value.size());
  for (const std::vector<std::uint32_t>& set : rows_of_equal_columns(matrix)) {
    // Groups have similar sizes: ten rows form two groups of five, which is faster than eight and two.
    const std::size_t parts = (set.size() + max_rows - 1) / max_rows;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t first = set.size() * part / parts;
      append(matrix, set.data() + first, set.size() * (part + 1) / parts - first);
    }
  }
  column_.shrink_to_fit();
}

void GroupedRows::append(const SparseRows& matrix, const std::uint32_t* members, std::size_t count) {
  const std::size_t first = matrix.start[members[0]];
  const std::size_t columns = matrix.start[members[0] + 1] - first;
  group_.push_back({static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(columns)});
  const auto begin = matrix.column.begin() + static_cast<std::ptrdiff_t>(first);
  column_.insert(column_.end(), begin, begin + static_cast<std::ptrdiff_t>(columns));
  for (std::size_t i = 0; i < count; ++i) row_.push_back(matrix.row[members[i]]);
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t i = 0; i < count; ++i) value_.push_back(matrix.value[matrix.start[members[i]] + k]);
  }
}

void GroupedRows::multiply_add(const double* x, double* y) const {
  static constexpr std::array<MultiplyGroup, max_rows> multiply =
      by_rows(std::make_index_sequence<max_rows>{});
  const double* value = value_.data();
  const std::uint32_t* column = column_.data();
  const std::uint32_t* row = row_.data();
  Sums sums;
  for (const Group& group : group_) {
    multiply[group.rows - 1](value, column, group.columns, x, sums);
    for (std::size_t i = 0; i < group.rows; ++i) y[row[i]] += sums[i];
    value += std::size_t{group.rows} * group.columns;
    column += group.columns;
    row += group.rows;
  }
  plan::computed(2.0 * static_cast<double>(value_.size()));
}

}  // namespace stretto::spmv
