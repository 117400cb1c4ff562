// SPDX-License-Identifier: BSD-3-Clause
// The matrix of NAS CG: a sum of outer products of random sparse vectors (RNR-94-007, section 2.4).
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/nas/classes.hpp"
#include "kernels/nas/csr.hpp"

namespace stretto::kernel::nas {

/// A part of the matrix: rows from `first_row` to before `last_row`. `place` maps a column to its index in
/// the part, below 2^32, or to `absent` where the part does not have it.
struct CgPart {
  static constexpr std::uint32_t absent = 0xFFFFFFFF;
  std::size_t first_row = 0;
  std::size_t last_row = 0;
  std::function<std::uint32_t(std::size_t column)> place;
};

/// Makes the part. The columns of each row are in ascending order of their index in the part.
[[nodiscard]] Csr cg_matrix(const CgClass& size, const CgPart& part);

}  // namespace stretto::kernel::nas
