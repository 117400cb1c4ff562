// SPDX-License-Identifier: BSD-3-Clause
// A matrix with the structure, not the values, of the one in figure 8 of Nieplocha et al. (Vavasis/av41092).
// Degree-6 Lagrange triangles on a square of cells without the boundary's unknowns, and a few long rows that
// couple everything. A row depends on its number alone, so each rank makes its own rows without
// communication.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::kernel {

class Av41092Like {
 public:
  /// 41,092 rows with 1,683,902 nonzeros on 34 x 34 cells at scale 1. `scale`, from 1 to 100, multiplies the
  /// number of cells, approximately, and of long rows.
  explicit Av41092Like(std::size_t scale = 1);

  [[nodiscard]] std::size_t rows() const { return interior_ * interior_ - dropped; }
  /// Appends a row, its columns ascending.
  void append_row(std::size_t row, std::vector<std::uint32_t>& columns, std::vector<double>& values) const;

 private:
  struct LongRow {
    std::size_t row = 0;
    std::size_t extra = 0;
  };

  static constexpr std::size_t dropped = 117;  // interior unknowns, from the first on

  void append_elements(std::size_t row, std::vector<std::uint32_t>& columns) const;
  void append_cell(std::size_t cell_x, std::size_t cell_y, bool upper,
                   std::vector<std::uint32_t>& columns) const;

  std::size_t cells_;               // along a side
  std::size_t interior_;            // unknowns along a side, without the boundary's
  std::vector<LongRow> long_rows_;  // ascending
};

}  // namespace stretto::kernel
