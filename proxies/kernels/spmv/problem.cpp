// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/spmv/problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "kernels/spmv/av41092_like.hpp"
#include "mpi/communicator.hpp"

namespace stretto::kernel {
namespace {

constexpr std::string_view generated_name = "av41092-like";

/// Element `place` of vector number `which`: from -1 to 1, with different values for each vector.
double element(std::size_t place, std::uint64_t which) {
  return static_cast<double>((place * 40503 + which * 7919) % 65537) / 32768.0 - 1;
}

/// Throws one rank's error on all ranks.
void throw_on_all_ranks(MPI_Comm communicator, const std::string& wrong) {
  const mpi::Communicator team(communicator);
  std::string first;
  for (const std::string& one : team.gather(wrong)) {
    if (first.empty()) first = one;
  }
  first = team.broadcast(first);
  if (!first.empty()) throw std::invalid_argument(first);
}

}  // namespace

SpmvProblem::SpmvProblem(const Request& request, MPI_Comm communicator) {
  const std::string matrix = request.text("matrix", std::string(generated_name));
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &rows_.ranks);
  columns_.ranks = rows_.ranks;
  if (matrix != generated_name) {
    if (request.options.contains("scale")) {
      throw std::invalid_argument("--set scale: is for " + std::string(generated_name) +
                                  " only; leave it out");
    }
    read(matrix, communicator);
    return;
  }
  generate(static_cast<std::size_t>(request.whole("scale", 1, 1, 100)));
  std::uint64_t all = generated_value_.size();
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_SUM, communicator);
  nonzeros_ = all;
}

void SpmvProblem::generate(std::size_t scale) {
  const Av41092Like matrix(scale);
  rows_.total = columns_.total = matrix.rows();
  for (std::size_t row = rows_.first(rank_); row < rows_.first(rank_ + 1); ++row) {
    matrix.append_row(row, generated_column_, generated_value_);
    start_.push_back(generated_column_.size());
  }
  column_ = generated_column_;
  value_ = generated_value_;
}

void SpmvProblem::read(const std::string& path, MPI_Comm communicator) {
  std::string wrong;
  try {
    file_ = std::make_unique<MatrixFile>(path);
    rows_.total = file_->rows();
    columns_.total = file_->columns();
    nonzeros_ = file_->nonzeros();
    MatrixFile::Rows rows = file_->part(rows_.first(rank_), rows_.first(rank_ + 1));
    start_ = std::move(rows.start);
    column_ = rows.column;
    value_ = rows.value;
    const auto beyond = std::find_if(column_.begin(), column_.end(),
                                     [&](std::uint32_t column) { return column >= columns(); });
    if (beyond != column_.end()) {
      wrong = path + ": has column " + std::to_string(*beyond) + " of " + std::to_string(columns()) +
              "; make it again";
    }
  } catch (const std::invalid_argument& error) {
    wrong = error.what();
  }
  throw_on_all_ranks(communicator, wrong);
}

spmv::Part SpmvProblem::part() const {
  return {.start = start_, .column = column_, .value = value_, .x_count = columns_.count(rank_)};
}

std::vector<double> SpmvProblem::x(std::uint64_t which) const {
  std::vector<double> block(columns_.count(rank_));
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = element(columns_.first(rank_) + i, which);
  return block;
}

double SpmvProblem::deviation(std::span<const double> y, std::uint64_t which) const {
  double worst = 0;
  for (std::size_t row = 0; row < y.size(); ++row) {
    double sum = 0;
    double scale = 0;
    for (std::size_t k = start_[row]; k < start_[row + 1]; ++k) {
      const double term = value_[k] * element(column_[k], which);
      sum += term;
      scale += std::abs(term);
    }
    if (std::isfinite(scale)) {
      const double difference = std::abs(y[row] - sum);
      if (difference > 0 || std::isnan(difference))
        worst = std::max(worst, std::isnan(difference) ? 1 : difference / std::max(scale, 1e-300));
    } else if (std::isfinite(y[row])) {
      worst = 1;
    }
  }
  return worst;
}

}  // namespace stretto::kernel
