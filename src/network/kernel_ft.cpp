// SPDX-License-Identifier: BSD-3-Clause
// NAS FT: the transposes of all schedules in slabs, or the backward transform on a grid of ranks
// (docs/fft.md). In slabs a rank has planes of z before a transpose, and planes of y after it. On a grid y
// and z are first transposed along the columns, as in slabs. Each complete plane of z is then exchanged
// along its row, for the lines along x, before the next one. A transform has 5 N log2 n flops per axis of n
// points. The flops behind an exchange use the data that has arrived while the rest is in flight.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "network/kernel_ft_layout.hpp"
#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_messages =
    5'000;  // per transform and rank; with more, the evaluation takes longer than a run
constexpr double initial_flops = 8;  // per point, once: the random numbers

/// The number of messages per plane to each of `targets` ranks, by schedule, where schedules differ. The
/// rank itself is one of the targets.
std::vector<std::pair<std::string, std::int64_t>> pieces_by_schedule(std::int64_t rows,
                                                                     std::int64_t targets) {
  std::vector<std::pair<std::string, std::int64_t>> found{{"slabs", 1}};
  if (rows >= 8) found.emplace_back(fmt::format("chunks={}", 4 * targets), 4);
  if (rows > 1) found.emplace_back("pencils", rows);
  return found;
}

/// The p1 x p2 grid nearest to a square that gives every rank data: p1 ranks share z and, after the
/// transpose, y; p2 share y and x. Nothing: only slabs are possible.
std::optional<std::pair<std::int64_t, std::int64_t>> nearest_grid(const FtSize& size, std::int64_t ranks) {
  std::optional<std::pair<std::int64_t, std::int64_t>> best;
  for (std::int64_t rows = 1; rows < ranks; ++rows) {
    const std::int64_t columns = ranks / rows;
    if (ranks % rows != 0 || rows > std::min(size.nz, size.ny) || columns > std::min(size.ny, size.nx))
      continue;
    if (!best || std::abs(rows - columns) < std::abs(best->first - best->second)) best = {rows, columns};
  }
  return best;
}

class FtKernel final : public KernelModel {
 public:
  FtKernel(const FtSize& size, std::int64_t ranks)
      : layout_{.size = size, .ranks = ranks}, in_slabs_(ranks <= std::min(size.ny, size.nz)) {
    if (ranks < 2) throw InvalidParameter("ranks", "the model of ft knows 2 ranks and more");
    if (const auto grid = nearest_grid(size, ranks)) {
      std::tie(layout_.rows, layout_.columns) = *grid;
    } else if (!in_slabs_) {
      throw InvalidParameter("ranks", "no grid leaves each rank a part of this class; take fewer ranks");
    }
  }

  [[nodiscard]] std::vector<VariantName> variants() const override {
    std::vector<VariantName> found;
    if (in_slabs_) append_packed(found, {});
    if (layout_.rows > 0) append_packed(found, grid_settings());
    if (in_slabs_) append_slabs(found);
    if (layout_.rows > 0) append_grid(found);
    return found;
  }

  [[nodiscard]] bool overlaps(const std::string& variant) const override {
    return variant != "alltoall" && variant != "packed-slabs";
  }

  [[nodiscard]] std::vector<KernelPhase> phases(const VariantName& name) const override {
    KernelProgram program(name.transport);
    const bool on_grid = !name.settings.empty();
    if (on_grid && (layout_.rows == 0 || name.settings != grid_settings())) {
      throw InvalidParameter("settings", "is none of this kernel's grids");
    }
    if (on_grid) {
      const FtLayout::Groups groups = layout_.column_phase(
          program, pieces_of(name.variant, layout_.planes_of_z(), std::max(layout_.rows, layout_.columns)));
      layout_.row_phase(program, groups, puts_a_plane(name));
    } else if (overlaps(name.variant)) {
      layout_.overlapped_slabs(
          program, pieces_of(name.variant, divided_up(layout_.size.nz, layout_.ranks), layout_.ranks));
    } else {
      layout_.packed(program);
    }
    std::vector<KernelPhase> found;
    KernelProgram first(name.transport);
    first.compute(1);
    found.push_back(first.phase("initial conditions", layout_.ranks, 1, initial_flops * layout_.points()));
    // All transforms but one are backward.
    found.push_back(program.phase("ft " + name.variant, layout_.ranks, layout_.size.iterations + 1,
                                  layout_.transform_flops()));
    return found;
  }

 private:
  [[nodiscard]] std::vector<std::string> grid_settings() const {
    return {fmt::format("grid={}x{}", layout_.rows, layout_.columns)};
  }

  static void append_packed(std::vector<VariantName>& found, const std::vector<std::string>& settings) {
    found.push_back({"alltoall", "mpi-two-sided", settings});
    for (const std::string& transport : kernel_transports()) {
      if (transport != "mpi-two-sided") found.push_back({"packed-slabs", transport, settings});
    }
  }

  void append_slabs(std::vector<VariantName>& found) const {
    const std::int64_t planes = divided_up(layout_.size.ny, layout_.ranks);
    for (const auto& [name, pieces] :
         pieces_by_schedule(divided_up(layout_.size.nz, layout_.ranks), layout_.ranks)) {
      if (planes * pieces * (layout_.ranks - 1) > max_messages) continue;
      for (const std::string& transport : kernel_transports()) found.push_back({name, transport, {}, true});
    }
  }

  /// Appends the grid variants, which send pieces of planes during the transform of the next ones.
  void append_grid(std::vector<VariantName>& found) const {
    for (const auto& [name, pieces] :
         pieces_by_schedule(layout_.planes_of_z(), std::max(layout_.rows, layout_.columns))) {
      for (const std::string& transport : kernel_transports()) {
        const VariantName one{name, transport, grid_settings(), true};
        const std::int64_t along_rows = layout_.planes_of_z() * (layout_.columns - 1) * puts_a_plane(one);
        const std::int64_t all = layout_.planes_of_y() * pieces * (layout_.rows - 1) + along_rows;
        if (layout_.rows > 1 && all <= max_messages) found.push_back(one);
      }
    }
  }

  /// The number of messages of a plane to each target; 0: one message for all planes.
  [[nodiscard]] std::int64_t pieces_of(const std::string& variant, std::int64_t rows,
                                       std::int64_t targets) const {
    if (!overlaps(variant)) return 0;
    for (const auto& [name, pieces] : pieces_by_schedule(rows, targets)) {
      if (name == variant) return pieces;
    }
    if (variant == "pencils") return rows;  // one row per plane, as with slabs
    throw InvalidParameter("variant", fmt::format("ft has no '{}' here", variant));
  }

  /// The number of puts to another rank of a row per plane: one, except that pencils over `mpi-rma` put
  /// each line.
  [[nodiscard]] std::int64_t puts_a_plane(const VariantName& name) const {
    return name.variant == "pencils" && name.transport == "mpi-rma"
               ? divided_up(layout_.size.ny, layout_.columns)
               : 1;
  }

  FtLayout layout_;
  bool in_slabs_;  // every rank has a plane before and after the transpose
};

}  // namespace

std::unique_ptr<KernelModel> ft_kernel(const RequestMembers& members) {
  constexpr std::int64_t most = 1 << 20;
  const FtSize size{.nx = members.whole("nx", 1, most),
                    .ny = members.whole("ny", 1, most),
                    .nz = members.whole("nz", 1, most),
                    .iterations = members.whole("iterations", 0, most)};
  return std::make_unique<FtKernel>(size, members.whole("ranks", 0, 1 << 30));
}

}  // namespace stretto::network
