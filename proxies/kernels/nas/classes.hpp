// SPDX-License-Identifier: BSD-3-Clause
// The problem classes of NAS FT, CG and MG, and their verification values, as the NAS Parallel Benchmarks 3.4
// publish them.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <string_view>

namespace stretto::kernel::nas {

constexpr std::array<std::string_view, 6> class_names{"S", "W", "A", "B", "C", "D"};

struct FtClass {
  std::string_view name;
  std::size_t nx;
  std::size_t ny;
  std::size_t nz;
  int iterations;  ///< each transforms back once, after one transform forward in all
  std::span<const std::complex<double>> checksums;  ///< one per iteration
};
constexpr double ft_tolerance = 1e-12;  ///< relative tolerance of each checksum

struct CgClass {
  std::string_view name;
  std::size_t rows;
  std::size_t nonzeros;  ///< nonzeros of each vector from which the matrix is built
  int iterations;        ///< iterations of the inverse power method
  double shift;
  double zeta;
};
constexpr double cg_tolerance = 1e-10;  ///< relative tolerance of zeta
constexpr double cg_condition = 0.1;    ///< reciprocal of the matrix's condition number

struct MgClass {
  std::string_view name;
  std::size_t points;  ///< in each dimension
  int iterations;      ///< V-cycles
  double norm;
};
constexpr double mg_tolerance = 1e-8;  ///< relative tolerance of the residual's L2 norm

/// The class of this name, one of class_names.
[[nodiscard]] const FtClass& ft_class(std::string_view name);
[[nodiscard]] const CgClass& cg_class(std::string_view name);
[[nodiscard]] const MgClass& mg_class(std::string_view name);

}  // namespace stretto::kernel::nas
