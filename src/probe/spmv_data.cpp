// SPDX-License-Identifier: BSD-3-Clause
#include "probe/spmv_data.hpp"

#include <algorithm>
#include <numeric>

#include "probe/element_pattern.hpp"

namespace stretto::probe {

SpmvData::SpmvData(const SpmvProblem& problem, double nonzero_ratio, std::size_t rank)
    : problem_(problem), rank_(rank), destination_(problem.block_rows(rank), 0.0) {
  for (std::size_t owner = 0; owner < problem.ranks; ++owner) {
    blocks_.push_back(random_block(problem.block_rows(rank), problem.block_rows(owner), nonzero_ratio,
                                   1 + rank * problem.ranks + owner));
  }
}

std::size_t SpmvData::nonzeros() const {
  return std::accumulate(blocks_.begin(), blocks_.end(), std::size_t{0},
                         [](std::size_t sum, const CsrBlock& block) { return sum + block.nonzeros(); });
}

double SpmvData::source(std::size_t owner, std::size_t index, std::uint32_t seed) {
  return element_pattern(static_cast<int>(owner), index, seed);
}

void SpmvData::fill(std::span<double> own, std::uint32_t seed) {
  for (std::size_t index = 0; index < own.size(); ++index) own[index] = source(rank_, index, seed);
  std::ranges::fill(destination_, 0.0);
}

void SpmvData::multiply(std::size_t owner, std::span<const double> x, std::size_t index, std::size_t slices) {
  const std::size_t rows = destination_.size();
  probe::multiply(blocks_[owner], x, destination_, rows * index / slices, rows * (index + 1) / slices);
}

bool SpmvData::arrived(std::span<const double> x, std::size_t owner, std::uint32_t seed) const {
  for (std::size_t index = 0; index < problem_.block_rows(owner); ++index) {
    if (x[index] != source(owner, index, seed)) return false;
  }
  return true;
}

bool SpmvData::product_is_right(std::uint32_t seed) const {
  std::vector<double> expected(destination_.size(), 0.0);
  for (std::size_t step = 0; step < problem_.ranks; ++step) {
    const std::size_t owner = (rank_ + step) % problem_.ranks;
    std::vector<double> x(problem_.block_rows(owner));
    for (std::size_t index = 0; index < x.size(); ++index) x[index] = source(owner, index, seed);
    probe::multiply(blocks_[owner], x, expected, 0, expected.size());
  }
  return expected == destination_;  // the same additions in the same order
}

}  // namespace stretto::probe
