// SPDX-License-Identifier: BSD-3-Clause
// NAS CG on a grid of ranks: products and sums (docs/kernels.md).
#include <algorithm>

#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t cg_real_bytes = 8;
constexpr std::int64_t gradient_steps = 25;  // conjugate-gradient steps per inverse iteration
constexpr std::int64_t products = gradient_steps + 1;
constexpr std::int64_t sums = 2 * gradient_steps + 4;  // r r at first, p q and r r in each step, the
                                                       // residual's, x z and z z
constexpr std::int64_t min_chunk_bytes = 16 << 10;     // smallest chunk of sums, as in `cg_grid.cpp`
constexpr std::int64_t max_chunks = 8;

class CgKernel final : public KernelModel {
 public:
  CgKernel(std::int64_t order, std::int64_t nonzeros, std::int64_t iterations, std::int64_t ranks)
      : order_(order), nonzeros_(nonzeros), iterations_(iterations), ranks_(ranks) {
    if (ranks < 2) throw InvalidParameter("ranks", "the model of cg knows 2 ranks and more");
    for (std::int64_t rows = 1; rows * rows <= ranks; ++rows) {
      if (ranks % rows == 0) rows_ = rows;
    }
    columns_ = ranks / rows_;
  }

  [[nodiscard]] std::vector<VariantName> variants() const override { return exchange_variants(); }
  [[nodiscard]] bool overlaps(const std::string& variant) const override { return variant == "nonblocking"; }
  [[nodiscard]] std::vector<KernelPhase> phases(const VariantName& name) const override {
    std::vector<KernelPhase> found;
    found.push_back(product(name.transport, overlaps(name.variant)));
    found.push_back(sum(name.transport, overlaps(name.variant)));
    return found;
  }

 private:
  /// The product: receives the pieces of the grid column, and sends the sums of each rank of the grid row
  /// as soon as they are computed.
  [[nodiscard]] KernelPhase product(const std::string& transport, bool overlapped) const {
    const std::int64_t piece = divided_up(order_, ranks_) * cg_real_bytes;
    KernelProgram program(transport, !overlapped);
    std::vector<std::uint32_t> coming;
    for (std::int64_t hop = 1; hop < rows_; ++hop) coming.push_back(program.start(hop * columns_, piece));
    const double own = overlapped && rows_ > 1 ? 1 / static_cast<double>(rows_) : 0.0;
    program.compute(own);
    program.arrive(coming);
    if (!overlapped) program.compute(1);
    std::vector<std::uint32_t> leaving;
    const std::int64_t chunks =
        overlapped ? std::min(std::max<std::int64_t>(piece / min_chunk_bytes, 1), max_chunks) : 1;
    for (std::int64_t hop = 1; hop <= columns_; ++hop) {  // the rank's own rows last
      for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        if (overlapped) program.compute((1 - own) / static_cast<double>(columns_ * chunks));
        if (hop < columns_) leaving.push_back(program.start(hop, divided_up(piece, chunks)));
      }
    }
    for (std::int64_t hop = 1; hop < rows_; ++hop) program.release(hop * columns_);
    program.arrive(leaving);
    for (std::int64_t hop = 1; hop < columns_; ++hop) program.release(hop);
    // The flops of a rank, by the nonzeros that the benchmark counts.
    const double flops = 2.0 * static_cast<double>(order_) * static_cast<double>(nonzeros_) *
                         static_cast<double>(nonzeros_ + 1) / static_cast<double>(ranks_);
    return program.phase("cg product", ranks_, iterations_ * products, flops);
  }

  [[nodiscard]] KernelPhase sum(const std::string& transport, bool overlapped) const {
    KernelProgram program(transport, !overlapped);
    for (const auto& [count, step] : {std::pair{columns_, std::int64_t{1}}, std::pair{rows_, columns_}}) {
      std::vector<std::uint32_t> messages;
      for (std::int64_t hop = 1; hop < count; ++hop) {
        messages.push_back(program.start(hop * step, cg_real_bytes));
      }
      program.arrive(messages);
    }
    program.compute(1);
    // About two of the five vector updates per sum.
    const double flops = 4.0 * static_cast<double>(order_) / static_cast<double>(ranks_);
    return program.phase("cg sum", ranks_, iterations_ * sums, flops);
  }

  std::int64_t order_;       // of the matrix
  std::int64_t nonzeros_;    // per generating vector of the matrix
  std::int64_t iterations_;  // of inverse iteration
  std::int64_t ranks_;
  std::int64_t rows_ = 1;  // of the grid: as square as possible, with at least as many columns as rows
  std::int64_t columns_ = 1;
};

}  // namespace

std::unique_ptr<KernelModel> cg_kernel(const RequestMembers& members) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  return std::make_unique<CgKernel>(members.whole("rows", 1, most), members.whole("nonzeros", 0, most),
                                    members.whole("iterations", 0, 1 << 20),
                                    members.whole("ranks", 0, 1 << 30));
}

}  // namespace stretto::network
