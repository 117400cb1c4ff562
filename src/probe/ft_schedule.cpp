// SPDX-License-Identifier: BSD-3-Clause
#include "probe/ft_schedule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace stretto::probe {
namespace {

constexpr std::array<std::string_view, 4> ft_kinds = {"exchange", "slabs", "pencils", "chunks"};
constexpr std::string_view chunks_prefix = "chunks=";

std::string text(std::size_t number) { return std::to_string(number); }

}  // namespace

void require_divisible(const FtProblem& problem) {
  const std::size_t parts = problem.ranks * problem.planes;
  if (problem.rows > 0 && problem.rows % parts == 0) return;
  const std::size_t below = problem.rows / parts * parts;
  throw std::invalid_argument("--rows " + text(problem.rows) + ": not a multiple of " + text(problem.ranks) +
                              " ranks" +
                              (problem.planes > 1 ? " x " + text(problem.planes) + " planes" : "") +
                              ": give " + (below > 0 ? text(below) + " or " : "") + text(below + parts));
}

std::string_view to_string(FtKind kind) { return ft_kinds[static_cast<std::size_t>(kind)]; }

std::string name_of(const FtSchedule& schedule) {
  if (schedule.kind == FtKind::chunks) return std::string{chunks_prefix} + text(schedule.chunks);
  return std::string{to_string(schedule.kind)};
}

bool is_ft_schedule(std::string_view name) {
  return std::ranges::find(ft_kinds, name.substr(0, name.find('='))) != ft_kinds.end();
}

FtSchedule ft_schedule_from(std::string_view name) {
  for (const FtKind kind : {FtKind::exchange, FtKind::slabs, FtKind::pencils}) {
    if (to_string(kind) == name) return {.kind = kind};
  }
  FtSchedule schedule{.kind = FtKind::chunks};
  if (name.starts_with(chunks_prefix)) {
    const std::string_view number = name.substr(chunks_prefix.size());
    const char* const end = number.data() + number.size();
    const auto [rest, error] = std::from_chars(number.data(), end, schedule.chunks);
    if (error == std::errc{} && rest == end && schedule.chunks > 0) return schedule;
  }
  throw std::invalid_argument("--schedules: '" + std::string{name} +
                              "' is no schedule of ft: write exchange, slabs, pencils or chunks=X, such as "
                              "chunks=64");
}

std::size_t chunks_of(const FtSchedule& schedule, const FtProblem& problem) {
  switch (schedule.kind) {
    case FtKind::exchange:
      return problem.ranks;
    case FtKind::slabs:
      return problem.ranks * problem.planes;
    case FtKind::pencils:
      return problem.rows;
    case FtKind::chunks:
      break;
  }
  const std::size_t elements = problem.rows * problem.row_length;
  if (schedule.chunks % problem.ranks != 0 || elements % schedule.chunks != 0) {
    throw std::invalid_argument("--schedules " + name_of(schedule) + ": X must be a multiple of the " +
                                text(problem.ranks) + " ranks and divide the " + text(elements) +
                                " elements of a rank");
  }
  return schedule.chunks;
}

FtPiece ft_piece(const FtProblem& problem, std::size_t chunks, std::size_t from, std::size_t to,
                 std::size_t round) {
  const std::size_t size_bytes = problem.bytes() / chunks;
  const std::size_t row_bytes = problem.row_bytes();
  const auto rows_of =
      [&](std::size_t pieces) {  // end of the rows that the first `pieces` pieces of a block touch
        return to * problem.block_rows() + (pieces * size_bytes + row_bytes - 1) / row_bytes;
      };
  return {.peer = to,
          .first_row = rows_of(round),
          .end_row = rows_of(round + 1),
          .offset_bytes = to * problem.block_bytes() + round * size_bytes,
          .receive_offset_bytes = from * problem.block_bytes() + round * size_bytes,
          .size_bytes = size_bytes};
}

}  // namespace stretto::probe
