// SPDX-License-Identifier: BSD-3-Clause
// A distributed product y = A x with a sparse matrix: elements of other ranks arrive while the rows are
// multiplied with the rank's own. A is the second difference, so y of a parabola is constant inside.
#include <mpi.h>

#include <cstdint>
#include <stretto/runtime.hpp>
#include <stretto/spmv.hpp>
#include <string>
#include <vector>

#include "conclude.hpp"

namespace {

constexpr std::uint64_t rows_of_a_rank = 100;

bool multiply(std::size_t& needed) {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  const std::uint64_t first = rows_of_a_rank * static_cast<std::uint64_t>(runtime.rank());
  const std::uint64_t all = rows_of_a_rank * static_cast<std::uint64_t>(runtime.size());

  // This rank's rows, compressed; columns are numbered over the whole matrix.
  std::vector<std::uint64_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;
  std::vector<double> x(rows_of_a_rank);
  for (std::uint64_t row = first; row < first + rows_of_a_rank; ++row) {
    for (std::uint64_t j = row == 0 ? 0 : row - 1; j <= row + 1 && j < all; ++j) {
      column.push_back(static_cast<std::uint32_t>(j));
      value.push_back(j == row ? -2 : 1);
    }
    start.push_back(column.size());
    x[row - first] = static_cast<double>(row * row);
  }

  // The plan knows from the columns which elements come from which rank.
  stretto::spmv::Plan plan(runtime, {.start = start, .column = column, .value = value, .x_count = x.size()});
  needed = plan.needed_elements();
  std::vector<double> y(rows_of_a_rank);
  plan.multiply(x, y);

  bool right = true;
  for (std::uint64_t row = first; row < first + rows_of_a_rank; ++row) {
    if (row > 0 && row + 1 < all) right = right && y[row - first] == 2;  // (i-1)^2 - 2 i^2 + (i+1)^2
  }
  runtime.barrier();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  std::size_t needed = 0;
  const bool right = multiply(needed);
  return examples::conclude(right, "spmv: the second difference of a parabola is 2; rank 0 needed " +
                                       std::to_string(needed) + " elements of others");
}
