// SPDX-License-Identifier: BSD-3-Clause
#include "network/kernel_ft_layout.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::network {
namespace {

constexpr std::int64_t complex_bytes = 16;
constexpr double evolve_flops = 4;  // per point and iteration: two real products for each part

}  // namespace

double FtLayout::points() const {
  return static_cast<double>(size.nx * size.ny * size.nz) / static_cast<double>(ranks);
}

double FtLayout::transform_flops() const {
  const auto log2_of = [](std::int64_t count) { return std::log2(static_cast<double>(count)); };
  return points() * (5 * (log2_of(size.nx) + log2_of(size.ny) + log2_of(size.nz)) + evolve_flops);
}

/// The share of a transform's flops along an axis of `count` points.
double FtLayout::along(std::int64_t count) const {
  return points() * 5 * std::log2(static_cast<double>(count)) / transform_flops();
}

std::int64_t FtLayout::plane_bytes(std::int64_t planes, std::int64_t rows_of_plane) const {
  return planes * rows_of_plane * size.nx * complex_bytes;
}

void FtLayout::packed(KernelProgram& program) const {
  const std::int64_t size_bytes = plane_bytes(divided_up(size.ny, ranks), divided_up(size.nz, ranks));
  const double after = along(size.ny);
  program.compute(1 - after);
  std::vector<std::uint32_t> messages;
  for (std::int64_t hop = 1; hop < ranks; ++hop) messages.push_back(program.start(hop, size_bytes));
  program.arrive(messages);
  program.compute(after);
}

void FtLayout::overlapped_slabs(KernelProgram& program, std::int64_t pieces) const {
  const std::int64_t planes = divided_up(size.ny, ranks);
  const std::int64_t size_bytes = plane_bytes(1, divided_up(divided_up(size.nz, ranks), pieces));
  const double along_x = along(size.nx);
  const double after = along(size.ny);
  const auto count = static_cast<double>(planes);
  Groups groups(static_cast<std::size_t>(pieces));
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    program.compute((1 - after - along_x) / count);
    for (auto& group : groups) {
      for (std::int64_t hop = 1; hop <= ranks; ++hop) {  // the rank itself last
        program.compute(along_x / count / static_cast<double>(pieces) / static_cast<double>(ranks));
        if (hop < ranks) group.push_back(program.start(hop, size_bytes));
      }
    }
  }
  for (const auto& group : groups) {
    program.arrive(group);
    program.compute(after / static_cast<double>(pieces));
  }
}

FtLayout::Groups FtLayout::column_phase(KernelProgram& program, std::int64_t pieces) const {
  const std::int64_t width = divided_up(size.nx, columns);
  const double along_z = 1 - along(size.nx) - along(size.ny);
  Groups groups(static_cast<std::size_t>(std::max<std::int64_t>(pieces, 1)));
  for (std::int64_t plane = 0; plane < planes_of_y(); ++plane) {
    program.compute(along_z / static_cast<double>(planes_of_y()));
    if (pieces == 0) continue;
    for (auto& group : groups) send_along_column(program, divided_up(planes_of_z(), pieces) * width, group);
  }
  if (pieces == 0) send_along_column(program, planes_of_y() * planes_of_z() * width, groups.front());
  return groups;
}

void FtLayout::send_along_column(KernelProgram& program, std::int64_t count,
                                 std::vector<std::uint32_t>& group) const {
  for (std::int64_t hop = 1; hop < rows; ++hop) {
    group.push_back(program.start(hop * columns, count * complex_bytes));
  }
}

void FtLayout::row_phase(KernelProgram& program, const Groups& groups, std::int64_t puts) const {
  const std::int64_t planes = planes_of_z();
  const std::int64_t part = divided_up(size.ny, columns) * divided_up(size.nx, columns) * complex_bytes;
  const auto count = static_cast<std::int64_t>(groups.size());
  for (std::int64_t place = 0; place < count; ++place) {
    program.arrive(groups[static_cast<std::size_t>(place)]);
    for (std::int64_t plane = planes * place / count; plane < planes * (place + 1) / count; ++plane) {
      program.compute(along(size.ny) / static_cast<double>(planes));
      for (std::int64_t hop = 1; hop < columns; ++hop) program.release(hop);
      std::vector<std::uint32_t> messages;
      for (std::int64_t hop = 1; hop < columns; ++hop) {
        for (std::int64_t put = 0; put < puts; ++put) messages.push_back(program.start(hop, part / puts));
      }
      program.arrive(messages);
      program.compute(along(size.nx) / static_cast<double>(planes));
    }
  }
}

}  // namespace stretto::network
