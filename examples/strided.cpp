// SPDX-License-Identifier: BSD-3-Clause
// Strided transfers: the last columns of a tile of a matrix go into the first columns of the next rank's
// tile, in one call. Counts and strides are bytes, and there may be any number of levels.
#include <mpi.h>

#include <array>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <vector>

#include "conclude.hpp"

namespace {

constexpr std::size_t rows = 64;
constexpr std::size_t columns = 50;
constexpr std::size_t halo = 3;  // columns that the next rank needs
constexpr std::size_t row_bytes = columns * sizeof(double);

double value_of(int rank, std::size_t row, std::size_t column) {
  return 10000.0 * rank + 100.0 * static_cast<double>(row) + static_cast<double>(column);
}

bool exchange_columns() {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  stretto::Region tile(runtime, rows * row_bytes);
  const int right = (runtime.rank() + 1) % runtime.size();
  const int left = (runtime.rank() + runtime.size() - 1) % runtime.size();

  std::vector<double> own(rows * columns);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = value_of(runtime.rank(), i / columns, i % columns);

  // `rows` blocks of `halo` numbers; blocks lie a row apart, here and at the target.
  const std::array<std::size_t, 2> counts{halo * sizeof(double), rows};
  const std::array<std::size_t, 1> stride{row_bytes};
  const stretto::Strided shape{.counts = counts, .local_strides = stride, .remote_strides = stride};
  stretto::put(tile, {.target = right, .offset = 0}, &own[columns - halo], shape);
  runtime.barrier();

  bool right_values = true;
  const std::span<const double> received = tile.local_as<double>();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double expected = column < halo ? value_of(left, row, columns - halo + column) : 0.0;
      right_values = right_values && received[row * columns + column] == expected;
    }
  }
  runtime.barrier();
  return right_values;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const bool right = exchange_columns();
  return examples::conclude(right, "strided: every rank has 3 columns of the rank to its left");
}
