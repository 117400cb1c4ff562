// SPDX-License-Identifier: BSD-3-Clause
// The problem of `stretto run spmv`: a rank's rows of the matrix, vectors by formula, and the check of the
// product.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stretto/spmv.hpp>
#include <vector>

#include "kernels/kernel.hpp"
#include "kernels/spmv/matrix_file.hpp"
#include "plan/block_distribution.hpp"

namespace stretto::kernel {

class SpmvProblem {
 public:
  /// Reads options `matrix` and `scale`. Throws std::invalid_argument, on all ranks alike. Collective.
  SpmvProblem(const Request& request, MPI_Comm communicator);

  [[nodiscard]] std::size_t rows() const { return rows_.total; }
  [[nodiscard]] std::size_t columns() const { return columns_.total; }
  [[nodiscard]] std::size_t nonzeros() const { return nonzeros_; }
  [[nodiscard]] spmv::Part part() const;

  /// This rank's block of vector number `which`.
  [[nodiscard]] std::vector<double> x(std::uint64_t which) const;
  /// The largest difference between `y` and the product with vector number `which`, relative to the sum of
  /// absolute terms of that row. NaN and infinity must match exactly. Remote elements are recomputed by
  /// formula, so the check does not depend on communication.
  [[nodiscard]] double deviation(std::span<const double> y, std::uint64_t which) const;

 private:
  void generate(std::size_t scale);
  void read(const std::string& path, MPI_Comm communicator);

  int rank_ = 0;
  plan::BlockDistribution rows_;
  plan::BlockDistribution columns_;
  std::size_t nonzeros_ = 0;
  std::unique_ptr<MatrixFile> file_;     // absent where the matrix is generated
  std::vector<std::uint64_t> start_{0};  // this rank's
  std::vector<std::uint32_t> generated_column_;
  std::vector<double> generated_value_;
  std::span<const std::uint32_t> column_;
  std::span<const double> value_;
};

}  // namespace stretto::kernel
