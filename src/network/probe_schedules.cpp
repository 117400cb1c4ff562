// SPDX-License-Identifier: BSD-3-Clause
#include "network/probe_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "network/closed_forms.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_starts = 1 << 26;
constexpr std::string_view depth_mark = ",prefetch=";

void check_ranks(std::int64_t ranks) {
  if (ranks < 2) throw InvalidParameter("ranks", fmt::format("{} exchange nothing; give 2 or more", ranks));
}

/// The schedule of this name. `chunks` is X of `chunks`, and of `slabs` by plane.
FtSchedule ft_schedule_named(const std::string& name, const FtProblem& problem,
                             std::optional<std::int64_t> chunks) {
  const auto* const found = std::ranges::find(ft_kinds, name);
  if (found == ft_kinds.end()) {
    throw InvalidParameter("schedule",
                           fmt::format("unknown '{}'; choose from exchange, slabs, pencils, chunks=X", name));
  }
  const auto kind = static_cast<FtKind>(found - ft_kinds.begin());
  const auto requested = static_cast<std::size_t>(std::max<std::int64_t>(chunks.value_or(0), 0));
  if (kind == FtKind::slabs && requested != 0) return {.kind = FtKind::chunks, .chunks = requested};
  FtSchedule schedule{.kind = kind, .chunks = requested};
  schedule.chunks = schedule.pieces(problem);
  return schedule;
}

/// X: the number of pieces of a rank's rows, including those for itself.
std::size_t ft_pieces(const std::string& schedule, const FtProblem& problem,
                      std::optional<std::int64_t> chunks) {
  check_ranks(static_cast<std::int64_t>(problem.ranks));
  if (problem.rows % problem.ranks != 0) {
    throw InvalidParameter("rows", fmt::format("{} do not divide among {} ranks; give a multiple of {}",
                                               problem.rows, problem.ranks, problem.ranks));
  }
  const std::size_t pieces = ft_schedule_named(schedule, problem, chunks).chunks;
  if (!divides_rows(pieces, problem)) {
    throw InvalidParameter("chunks",
                           fmt::format("{}: X must be a multiple of the {} ranks, and divide the {} elements "
                                       "of a rank",
                                       pieces, problem.ranks, problem.rows * problem.row_length));
  }
  if (pieces > max_starts) throw InvalidParameter("chunks", fmt::format("{} are too many", pieces));
  return pieces;
}

/// The hop of round t: a get fetches from the rank t further on; a put or send goes t back, so that data
/// comes from the same rank.
std::uint32_t hop_of(std::int64_t turn, std::int64_t ranks, TransferOperation operation) {
  return static_cast<std::uint32_t>(operation == TransferOperation::get ? turn : ranks - turn);
}

void append_bulk(ScheduleGraph& graph, std::uint64_t block_bytes, TransferOperation operation) {
  const std::uint8_t init = graph.segment("prefetch_init");
  const std::uint8_t local = graph.segment("local_work");
  const std::uint8_t remote = graph.segment("remote_work");
  for (int turn = 1; turn < graph.ranks; ++turn) {
    graph.start(hop_of(turn, graph.ranks, operation), block_bytes, operation, init);
  }
  for (std::uint32_t message = 0; message < graph.messages; ++message) graph.finish(message);
  for (int turn = 0; turn < graph.ranks; ++turn) graph.compute(1, turn > 0 ? remote : local);
}

/// Algorithms 7 and 8: in each round the data comes from one rank further on, by gets or by others' puts.
void append_pipeline(ScheduleGraph& graph, std::uint64_t block_bytes, const SpmvSchedule& schedule,
                     TransferOperation operation) {
  const std::uint8_t first = graph.segment("prefetch_init");
  const std::uint8_t later = graph.segment("pipeline_init");
  const std::uint8_t local = graph.segment("local_work");
  const std::uint8_t remote = graph.segment("remote_work");
  const auto start = [&](std::uint8_t segment) {
    graph.start(hop_of(graph.messages + 1, graph.ranks, operation), block_bytes, operation, segment);
  };
  while (graph.messages < schedule.before(static_cast<std::size_t>(graph.ranks))) start(first);
  for (int turn = 0; turn < graph.ranks; ++turn) {
    if (graph.messages + 1 < static_cast<std::uint32_t>(graph.ranks)) start(later);
    if (turn > 0) {
      const auto message = static_cast<std::uint32_t>(turn - 1);
      if (schedule.kind == SpmvKind::scatter) {
        graph.await(message);
      } else {
        graph.finish(message);
      }
    }
    graph.compute(1, turn > 0 ? remote : local);
  }
}

/// The prefetch depth that a schedule's name ends with; nothing where it has none.
std::optional<int> depth_of(std::string_view name) {
  const std::size_t mark = name.find(depth_mark);
  if (mark == std::string_view::npos) return std::nullopt;
  name.remove_prefix(mark + depth_mark.size());
  int depth = 0;
  std::from_chars(name.data(), name.data() + name.size(), depth);
  return depth;
}

}  // namespace

ScheduleGraph ft_schedule(const std::string& schedule, const FtProblem& problem,
                          std::optional<std::int64_t> chunks, TransferOperation operation) {
  const std::size_t pieces = ft_pieces(schedule, problem, chunks);
  const bool bulk = schedule == to_string(FtKind::exchange);
  ScheduleGraph graph{.name = schedule == "chunks" ? fmt::format("chunks={}", pieces) : schedule,
                      .ranks = static_cast<int>(problem.ranks),
                      .parts = static_cast<int>(problem.rows)};
  const std::uint8_t work = graph.segment("work");
  const std::uint8_t init = graph.segment("init");
  if (bulk) graph.compute(static_cast<double>(problem.rows), work);
  for_each_piece(problem, pieces, 0, [&](const FtPiece& piece) {
    const std::size_t rows = piece.end_row - piece.first_row;
    if (!bulk && rows > 0) graph.compute(static_cast<double>(rows), work);
    if (piece.peer == 0) return;  // the piece for the rank itself
    graph.start(static_cast<std::uint32_t>(piece.peer), piece.size_bytes, operation, init);
  });
  for (std::uint32_t message = 0; message < graph.messages; ++message) graph.finish(message);
  return graph;
}

ScheduleGraph spmv_schedule(const std::string& schedule, std::int64_t ranks, std::uint64_t block_bytes,
                            std::int64_t prefetch, bool two_sided) {
  check_ranks(ranks);
  if (ranks > max_starts) throw InvalidParameter("ranks", fmt::format("{} are too many", ranks));
  const auto* const found = std::ranges::find(spmv_kinds, schedule);
  if (found == spmv_kinds.end()) {
    throw InvalidParameter("schedule",
                           fmt::format("unknown '{}'; choose from bulk, gather, scatter", schedule));
  }
  const auto kind = static_cast<SpmvKind>(found - spmv_kinds.begin());
  if (kind != SpmvKind::bulk && (prefetch < 0 || prefetch > ranks - 1)) {
    throw InvalidParameter("prefetch", fmt::format("{} is not within 0 to P - 1 = {}", prefetch, ranks - 1));
  }
  TransferOperation operation = kind == SpmvKind::scatter ? TransferOperation::put : TransferOperation::get;
  if (two_sided) operation = TransferOperation::send;
  const SpmvSchedule named{.kind = kind, .prefetch = static_cast<std::size_t>(prefetch)};
  ScheduleGraph graph{
      .name = name_of(named), .ranks = static_cast<int>(ranks), .parts = static_cast<int>(ranks)};
  if (kind == SpmvKind::bulk) {
    append_bulk(graph, block_bytes, operation);
  } else {
    append_pipeline(graph, block_bytes, named, operation);
  }
  return graph;
}

std::map<std::string, double> closed_form(const ScheduleGraph& schedule, const PathCosts& costs,
                                          double work_s) {
  const GraphStep* const first = schedule.first_start();
  if (first == nullptr) return {};
  const LogGp loggp = costs.loggp_at(first->size_bytes);
  const auto depth = depth_of(schedule.name);
  const bool spmv = depth || schedule.name == "bulk";
  if (spmv) {
    const bool holds =
        schedule.name.starts_with("gather") && *depth <= 1 && first->operation == TransferOperation::get;
    if (!holds) return {};
    const SpmvBlocks blocks{
        .ranks = schedule.ranks, .size_bytes = first->size_bytes, .work_s = work_s / schedule.ranks};
    return {{"total", spmv_total_s(blocks, loggp)}};
  }
  const std::int64_t pieces =
      static_cast<std::int64_t>(schedule.messages) * schedule.ranks / (schedule.ranks - 1);
  const bool whole_rows = schedule.parts % pieces == 0;
  if (schedule.name == "exchange" || first->operation != TransferOperation::put || !whole_rows) return {};
  const FtPieces work{.pieces = pieces,
                      .ranks = schedule.ranks,
                      .size_bytes = first->size_bytes,
                      .work_s = work_s / static_cast<double>(pieces)};
  const FtTimes times = ft_times(work, loggp);
  return {{"total", times.total_s},
          {"init", times.init_s},
          {"init_eq6", ft_initiation_eq6_s(work, loggp) - times.work_s},
          {"wait", times.wait_s}};
}

}  // namespace stretto::network
