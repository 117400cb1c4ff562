// SPDX-License-Identifier: BSD-3-Clause
// The sizes of the classes of NAS FT, CG and MG, as the NAS Parallel Benchmarks 3.4 publish them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace stretto::network {

struct NasFtSize {
  std::string_view name;
  std::size_t nx;
  std::size_t ny;
  std::size_t nz;
  int iterations;  ///< each transforms back once, after one transform forward in all
};
inline constexpr std::array<NasFtSize, 6> nas_ft_sizes{{
    {"S", 64, 64, 64, 6},
    {"W", 128, 128, 32, 6},
    {"A", 256, 256, 128, 6},
    {"B", 512, 256, 256, 20},
    {"C", 512, 512, 512, 20},
    {"D", 2048, 1024, 1024, 25},
}};

struct NasCgSize {
  std::string_view name;
  std::size_t rows;
  std::size_t nonzeros;  ///< nonzeros of each vector from which the matrix is built
  int iterations;        ///< iterations of the inverse power method
};
inline constexpr std::array<NasCgSize, 6> nas_cg_sizes{{
    {"S", 1400, 7, 15},
    {"W", 7000, 8, 15},
    {"A", 14000, 11, 15},
    {"B", 75000, 13, 75},
    {"C", 150000, 15, 75},
    {"D", 1500000, 21, 100},
}};

struct NasMgSize {
  std::string_view name;
  std::size_t points;  ///< in each dimension
  int iterations;      ///< V-cycles
};
inline constexpr std::array<NasMgSize, 6> nas_mg_sizes{{
    {"S", 32, 4},
    {"W", 128, 4},
    {"A", 256, 4},
    {"B", 256, 20},
    {"C", 512, 20},
    {"D", 1024, 50},
}};

}  // namespace stretto::network
