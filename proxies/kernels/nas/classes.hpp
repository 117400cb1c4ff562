// SPDX-License-Identifier: BSD-3-Clause
// The problem classes of NAS FT, CG and MG, and their verification values.
#pragma once

#include <array>
#include <complex>
#include <span>
#include <string_view>

#include "network/nas_sizes.hpp"

namespace stretto::kernel::nas {

constexpr std::array<std::string_view, 6> class_names{"S", "W", "A", "B", "C", "D"};

struct FtClass : network::NasFtSize {
  std::span<const std::complex<double>> checksums;  ///< one per iteration
};
constexpr double ft_tolerance = 1e-12;  ///< relative tolerance of each checksum

struct CgClass : network::NasCgSize {
  double shift;
  double zeta;
};
constexpr double cg_tolerance = 1e-10;  ///< relative tolerance of zeta
constexpr double cg_condition = 0.1;    ///< reciprocal of the matrix's condition number

struct MgClass : network::NasMgSize {
  double norm;
};
constexpr double mg_tolerance = 1e-8;  ///< relative tolerance of the residual's L2 norm

/// The class of this name, one of class_names.
[[nodiscard]] const FtClass& ft_class(std::string_view name);
[[nodiscard]] const CgClass& cg_class(std::string_view name);
[[nodiscard]] const MgClass& mg_class(std::string_view name);

}  // namespace stretto::kernel::nas
