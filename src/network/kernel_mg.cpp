// SPDX-License-Identifier: BSD-3-Clause
// NAS MG on a grid of ranks over y and z: cycles level by level (docs/kernels.md).
#include <algorithm>
#include <bit>

#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t mg_real_bytes = 8;
constexpr double stencil_flops = 19;  // per point
constexpr double interpolation_flops = 5;
constexpr double restriction_flops = 15;  // per coarse point
constexpr std::int64_t largest_whole =
    16;  // points per axis of the largest level that every rank holds completely

/// This rank's part of a level: `nx` points of `ny` by `nz` rows.
struct MgLevel {
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t nz;
  bool split_y = false;  // y is distributed, too
  bool split_z = false;

  [[nodiscard]] double points() const { return static_cast<double>(nx * ny * nz); }
  [[nodiscard]] std::int64_t row_bytes() const { return nx * mg_real_bytes; }
  /// The share of the rows that other ranks need.
  [[nodiscard]] double boundary_share() const {
    const std::int64_t inner =
        std::max<std::int64_t>(nz - 2, 0) * (split_y ? std::max<std::int64_t>(ny - 2, 0) : ny);
    return 1 - static_cast<double>(inner) / static_cast<double>(ny * nz);
  }
};

struct MgProblem {
  std::int64_t points;      // along each axis
  std::int64_t iterations;  // V-cycles
  std::int64_t ranks;
  std::int64_t along_y;  // ranks along y: a square grid, or twice as many along z
  std::int64_t along_z;
};

/// The phases of one variant.
class MgPhases {
 public:
  MgPhases(const MgProblem& problem, const VariantName& name, bool overlapped)
      : problem_(problem), transport_(name.transport), overlapped_(overlapped) {}

  /// The phases of a run: cycles from the finest level down and up again, and the residual before them.
  [[nodiscard]] std::vector<KernelPhase> all() {
    const std::int64_t finest = problem_.points;
    for (std::int64_t points = finest; points > 2; points /= 2) {
      const MgLevel here = level(points);
      restriction(here);
      if (here.split_z && !level(points / 2).split_z) gather(points / 2);
      halo("prolong", here, (interpolation_flops + stencil_flops) * here.points());
      const double last =
          points == finest ? stencil_flops : 0;  // the residual is part of the last correction
      halo("correct", here, (stencil_flops + last) * here.points());
    }
    KernelProgram first(transport_);
    first.compute(1);
    phases_.push_back(first.phase("mg residual", problem_.ranks, 1, stencil_flops * level(finest).points()));
    return std::move(phases_);
  }

 private:
  using Sizes = std::vector<std::int64_t>;

  [[nodiscard]] MgLevel level(std::int64_t points) const {
    if (points <= largest_whole || points < 2 * problem_.along_z) {
      return {.nx = points, .ny = points, .nz = points};
    }
    return {.nx = points,
            .ny = points / problem_.along_y,
            .nz = points / problem_.along_z,
            .split_y = problem_.along_y > 1,
            .split_z = true};
  }

  void add(const std::string& name, KernelProgram& program, double flops) {
    phases_.push_back(program.phase("mg " + name, problem_.ranks, problem_.iterations, flops));
  }

  /// Exchanges messages of sizes `first`, and after their arrival those of `then`; all at once if
  /// overlapped.
  void exchange(const std::string& name, double boundary, const Sizes& first, const Sizes& then,
                double flops) {
    KernelProgram program(transport_, !overlapped_);
    program.compute(overlapped_ ? boundary : 1);
    std::vector<Sizes> rounds;
    if (overlapped_) {
      rounds.push_back(first);
      rounds.front().insert(rounds.front().end(), then.begin(), then.end());
    } else {
      for (const Sizes& sizes : {first, then}) {
        if (!sizes.empty()) rounds.push_back(sizes);
      }
    }
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      std::vector<std::uint32_t> messages;
      std::int64_t hop = 0;
      for (const std::int64_t size : rounds[round]) {
        messages.push_back(program.start(++hop % problem_.ranks, size));
      }
      if (round == 0 && overlapped_) program.compute(1 - boundary);
      program.arrive(messages);
    }
    add(name, program, flops);
  }

  void restriction(const MgLevel& level) {
    const double flops = restriction_flops * level.points() / 8;
    if (!level.split_z) {
      exchange("restrict", 1, {}, {}, flops);
      return;
    }
    const std::int64_t half = level.row_bytes() / 2;
    Sizes sizes{level.ny / 2 * half};
    if (level.split_y) sizes.insert(sizes.end(), {level.nz / 2 * half, half});
    exchange("restrict", level.boundary_share() / 2, sizes, {}, flops);
  }

  void halo(const std::string& name, const MgLevel& level, double flops) {
    if (!level.split_z) {
      exchange(name, 1, {}, {}, flops);
      return;
    }
    const std::int64_t row = level.row_bytes();
    Sizes along_y;
    if (level.split_y && overlapped_) along_y = {level.nz * row, level.nz * row, row, row, row, row};
    if (level.split_y && !overlapped_) along_y = {(level.nz + 2) * row, (level.nz + 2) * row};
    exchange(name, level.boundary_share(), {level.ny * row, level.ny * row}, along_y, flops);
  }

  /// Gathers all parts of a level that every rank holds completely, along z, then along y.
  void gather(std::int64_t points) {
    KernelProgram program(transport_, !overlapped_);
    const std::int64_t part = points * points / problem_.along_y * points / problem_.along_z * mg_real_bytes;
    for (const auto& [count, size] :
         {std::pair{problem_.along_z, part}, std::pair{problem_.along_y, part * problem_.along_z}}) {
      std::vector<std::uint32_t> messages;
      for (std::int64_t hop = 1; hop < count; ++hop) messages.push_back(program.start(hop, size));
      program.arrive(messages);
    }
    add("gather", program, 0);
  }

  const MgProblem& problem_;
  std::string transport_;
  bool overlapped_;
  std::vector<KernelPhase> phases_;
};

class MgKernel final : public KernelModel {
 public:
  explicit MgKernel(const MgProblem& problem) : problem_(problem) {}

  [[nodiscard]] std::vector<VariantName> variants() const override { return exchange_variants(); }
  [[nodiscard]] bool overlaps(const std::string& variant) const override { return variant == "nonblocking"; }
  [[nodiscard]] std::vector<KernelPhase> phases(const VariantName& name) const override {
    return MgPhases(problem_, name, overlaps(name.variant)).all();
  }

 private:
  MgProblem problem_;
};

}  // namespace

std::unique_ptr<KernelModel> mg_kernel(const RequestMembers& members) {
  constexpr std::int64_t most = 1 << 20;
  const std::int64_t ranks = members.whole("ranks", 0, 1 << 30);
  if (ranks < 2 || !std::has_single_bit(static_cast<std::uint64_t>(ranks))) {
    throw InvalidParameter("ranks", "mg takes a power of two of ranks, the model from 2 on");
  }
  const std::int64_t along_y = std::int64_t{1}
                               << ((std::bit_width(static_cast<std::uint64_t>(ranks)) - 1) / 2);
  return std::make_unique<MgKernel>(MgProblem{.points = members.whole("points", 1, most),
                                              .iterations = members.whole("iterations", 0, most),
                                              .ranks = ranks,
                                              .along_y = along_y,
                                              .along_z = ranks / along_y});
}

}  // namespace stretto::network
