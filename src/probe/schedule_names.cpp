// SPDX-License-Identifier: BSD-3-Clause
#include "probe/schedule_names.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace stretto::probe {
namespace {

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

bool is_ft_schedule(std::string_view name) {
  const auto& kinds = network::ft_kinds;
  return std::ranges::find(kinds, name.substr(0, name.find('='))) != kinds.end();
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
  const std::size_t chunks = schedule.pieces(problem);
  if (schedule.kind == FtKind::chunks && !divides_rows(chunks, problem)) {
    throw std::invalid_argument("--schedules " + name_of(schedule) + ": X must be a multiple of the " +
                                text(problem.ranks) + " ranks and divide the " +
                                text(problem.rows * problem.row_length) + " elements of a rank");
  }
  return chunks;
}

bool is_spmv_schedule(std::string_view name) {
  return std::ranges::find(network::spmv_kinds, name) != network::spmv_kinds.end();
}

SpmvKind spmv_kind_from(std::string_view name) {
  for (const SpmvKind kind : {SpmvKind::bulk, SpmvKind::gather, SpmvKind::scatter}) {
    if (to_string(kind) == name) return kind;
  }
  throw std::invalid_argument("--schedules: '" + std::string{name} +
                              "' is no schedule of spmv: write bulk, gather or scatter");
}

}  // namespace stretto::probe
