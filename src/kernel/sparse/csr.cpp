// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/sparse/csr.hpp"

#include "kernel/host.hpp"

namespace stretto::kernel {

void multiply(const Csr& matrix, std::size_t first, std::size_t last, const double* x, double* y, bool add) {
  const double* value = matrix.value.data();
  const std::uint32_t* column = matrix.column.data();
  for (std::size_t row = first; row < last; ++row) {
    const std::size_t end = matrix.start[row + 1];
    std::size_t k = matrix.start[row];
    // Four sums: one would wait for each addition before the next.
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    for (; k + 4 <= end; k += 4) {
      sum0 += value[k] * x[column[k]];
      sum1 += value[k + 1] * x[column[k + 1]];
      sum2 += value[k + 2] * x[column[k + 2]];
      sum3 += value[k + 3] * x[column[k + 3]];
    }
    for (; k < end; ++k) sum0 += value[k] * x[column[k]];
    const double sum = (sum0 + sum1) + (sum2 + sum3);
    y[row] = add ? y[row] + sum : sum;
  }
  if (last > first) computed(2.0 * static_cast<double>(matrix.start[last] - matrix.start[first]));
}

}  // namespace stretto::kernel
