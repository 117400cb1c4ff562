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

#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t complex_bytes = 16;
constexpr std::int64_t most_messages =
    5'000;  // per transform and rank; with more, the evaluation takes longer than a run
constexpr double evolve_flops = 4;   // per point and iteration: two real products for each part
constexpr double initial_flops = 8;  // per point, once: the random numbers

struct FtSize {
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t nz;
  std::int64_t iterations;
};

using Groups = std::vector<std::vector<std::uint32_t>>;

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
      : size_(size), ranks_(ranks), in_slabs_(ranks <= std::min(size.ny, size.nz)) {
    if (ranks < 2) throw InvalidParameter("ranks", "the model of ft knows 2 ranks and more");
    if (const auto grid = nearest_grid(size, ranks)) {
      std::tie(rows_, columns_) = *grid;
    } else if (!in_slabs_) {
      throw InvalidParameter("ranks", "no grid leaves each rank a part of this class; take fewer ranks");
    }
  }

  [[nodiscard]] std::vector<VariantName> variants() const override {
    std::vector<VariantName> found;
    if (in_slabs_) append_packed(found, {});
    if (rows_ > 0) append_packed(found, grid_settings());
    if (in_slabs_) append_slabs(found);
    if (rows_ > 0) append_grid(found);
    return found;
  }

  [[nodiscard]] bool overlaps(const std::string& variant) const override {
    return variant != "alltoall" && variant != "packed-slabs";
  }

  [[nodiscard]] std::vector<KernelPhase> phases(const VariantName& name) const override {
    KernelProgram program(name.transport);
    const bool on_grid = !name.settings.empty();
    if (on_grid && (rows_ == 0 || name.settings != grid_settings())) {
      throw InvalidParameter("settings", "is none of this kernel's grids");
    }
    if (on_grid) {
      const Groups groups = column_phase(program, pieces_of(name.variant, planes_of_z(), std::max(rows_, columns_)));
      row_phase(program, groups, puts_a_plane(name));
    } else if (overlaps(name.variant)) {
      overlapped_slabs(program, pieces_of(name.variant, divided_up(size_.nz, ranks_), ranks_));
    } else {
      packed(program);
    }
    std::vector<KernelPhase> found;
    KernelProgram first(name.transport);
    first.compute(1);
    found.push_back(first.phase("initial conditions", ranks_, 1, initial_flops * points()));
    // All transforms but one are backward.
    found.push_back(program.phase("ft " + name.variant, ranks_, size_.iterations + 1, transform_flops()));
    return found;
  }

 private:
  [[nodiscard]] double points() const {
    return static_cast<double>(size_.nx * size_.ny * size_.nz) / static_cast<double>(ranks_);
  }

  /// The flops of a rank, including the time step before the transform.
  [[nodiscard]] double transform_flops() const {
    const auto log2_of = [](std::int64_t count) { return std::log2(static_cast<double>(count)); };
    return points() * (5 * (log2_of(size_.nx) + log2_of(size_.ny) + log2_of(size_.nz)) + evolve_flops);
  }

  /// The share of a transform's flops along an axis of `count` points.
  [[nodiscard]] double along(std::int64_t count) const {
    return points() * 5 * std::log2(static_cast<double>(count)) / transform_flops();
  }

  [[nodiscard]] std::vector<std::string> grid_settings() const {
    return {fmt::format("grid={}x{}", rows_, columns_)};
  }

  [[nodiscard]] std::int64_t planes_of_y() const { return divided_up(size_.ny, rows_); }
  [[nodiscard]] std::int64_t planes_of_z() const { return divided_up(size_.nz, rows_); }

  static void append_packed(std::vector<VariantName>& found, const std::vector<std::string>& settings) {
    found.push_back({"alltoall", "mpi-two-sided", settings});
    for (const std::string& transport : kernel_transports()) {
      if (transport != "mpi-two-sided") found.push_back({"packed-slabs", transport, settings});
    }
  }

  void append_slabs(std::vector<VariantName>& found) const {
    const std::int64_t planes = divided_up(size_.ny, ranks_);
    for (const auto& [name, pieces] : pieces_by_schedule(divided_up(size_.nz, ranks_), ranks_)) {
      if (planes * pieces * (ranks_ - 1) > most_messages) continue;
      for (const std::string& transport : kernel_transports()) found.push_back({name, transport, {}, true});
    }
  }

  /// Appends the grid variants, which send pieces of planes during the transform of the next ones.
  void append_grid(std::vector<VariantName>& found) const {
    for (const auto& [name, pieces] : pieces_by_schedule(planes_of_z(), std::max(rows_, columns_))) {
      for (const std::string& transport : kernel_transports()) {
        const VariantName one{name, transport, grid_settings(), true};
        const std::int64_t along_rows = planes_of_z() * (columns_ - 1) * puts_a_plane(one);
        const std::int64_t all = planes_of_y() * pieces * (rows_ - 1) + along_rows;
        if (rows_ > 1 && all <= most_messages) found.push_back(one);
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

  [[nodiscard]] std::int64_t plane_bytes(std::int64_t planes, std::int64_t rows) const {
    return planes * rows * size_.nx * complex_bytes;
  }

  void packed(KernelProgram& program) const {
    const std::int64_t size = plane_bytes(divided_up(size_.ny, ranks_), divided_up(size_.nz, ranks_));
    const double after = along(size_.ny);
    program.compute(1 - after);
    std::vector<std::uint32_t> messages;
    for (std::int64_t hop = 1; hop < ranks_; ++hop) messages.push_back(program.start(hop, size));
    program.arrive(messages);
    program.compute(after);
  }

  /// Transforms along z, then each piece along x and sends it; transforms lines along y as groups arrive.
  void overlapped_slabs(KernelProgram& program, std::int64_t pieces) const {
    const std::int64_t planes = divided_up(size_.ny, ranks_);
    const std::int64_t size = plane_bytes(1, divided_up(divided_up(size_.nz, ranks_), pieces));
    const double along_x = along(size_.nx);
    const double after = along(size_.ny);
    const auto count = static_cast<double>(planes);
    Groups groups(static_cast<std::size_t>(pieces));
    for (std::int64_t plane = 0; plane < planes; ++plane) {
      program.compute((1 - after - along_x) / count);
      for (auto& group : groups) {
        for (std::int64_t hop = 1; hop <= ranks_; ++hop) {  // the rank itself last
          program.compute(along_x / count / static_cast<double>(pieces) / static_cast<double>(ranks_));
          if (hop < ranks_) group.push_back(program.start(hop, size));
        }
      }
    }
    for (const auto& group : groups) {
      program.arrive(group);
      program.compute(after / static_cast<double>(pieces));
    }
  }

  /// On the grid: transforms planes of y along z and sends them along the column. Returns the messages of
  /// each group of planes of z.
  [[nodiscard]] Groups column_phase(KernelProgram& program, std::int64_t pieces) const {
    const std::int64_t width = divided_up(size_.nx, columns_);
    const double along_z = 1 - along(size_.nx) - along(size_.ny);
    Groups groups(static_cast<std::size_t>(std::max<std::int64_t>(pieces, 1)));
    for (std::int64_t plane = 0; plane < planes_of_y(); ++plane) {
      program.compute(along_z / static_cast<double>(planes_of_y()));
      if (pieces == 0) continue;
      for (auto& group : groups) send_along_column(program, divided_up(planes_of_z(), pieces) * width, group);
    }
    if (pieces == 0) send_along_column(program, planes_of_y() * planes_of_z() * width, groups.front());
    return groups;
  }

  void send_along_column(KernelProgram& program, std::int64_t count, std::vector<std::uint32_t>& group) const {
    for (std::int64_t hop = 1; hop < rows_; ++hop) {
      group.push_back(program.start(hop * columns_, count * complex_bytes));
    }
  }

  /// The number of puts to another rank of a row per plane: one, except that pencils over `mpi-rma` put
  /// each line.
  [[nodiscard]] std::int64_t puts_a_plane(const VariantName& name) const {
    return name.variant == "pencils" && name.transport == "mpi-rma" ? divided_up(size_.ny, columns_) : 1;
  }

  /// Transforms each plane of z along y when it has arrived, exchanges it along the row, and transforms it
  /// along x.
  void row_phase(KernelProgram& program, const Groups& groups, std::int64_t puts) const {
    const std::int64_t planes = planes_of_z();
    const std::int64_t part = divided_up(size_.ny, columns_) * divided_up(size_.nx, columns_) * complex_bytes;
    const auto count = static_cast<std::int64_t>(groups.size());
    for (std::int64_t place = 0; place < count; ++place) {
      program.arrive(groups[static_cast<std::size_t>(place)]);
      for (std::int64_t plane = planes * place / count; plane < planes * (place + 1) / count; ++plane) {
        program.compute(along(size_.ny) / static_cast<double>(planes));
        for (std::int64_t hop = 1; hop < columns_; ++hop) program.release(hop);
        std::vector<std::uint32_t> messages;
        for (std::int64_t hop = 1; hop < columns_; ++hop) {
          for (std::int64_t put = 0; put < puts; ++put) messages.push_back(program.start(hop, part / puts));
        }
        program.arrive(messages);
        program.compute(along(size_.nx) / static_cast<double>(planes));
      }
    }
  }

  FtSize size_;
  std::int64_t ranks_;
  bool in_slabs_;          // every rank has a plane before and after the transpose
  std::int64_t rows_ = 0;  // of the grid; 0: there is none
  std::int64_t columns_ = 0;
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
