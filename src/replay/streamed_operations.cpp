// SPDX-License-Identifier: BSD-3-Clause
#include "replay/streamed_operations.hpp"

#include <algorithm>
#include <utility>

namespace stretto::replay {
namespace {

constexpr std::uint32_t operations_ahead = 128;       // of a rank, at least
constexpr std::uint32_t operations_at_a_time = 1024;  // that are released

}  // namespace

/// The file of a rank, and which of its operations are in memory.
struct StreamedOperations::Rank final : OperationSink {
  Rank(StreamedOperations& of, std::uint32_t own)
      : all(of),
        number(own),
        writer(of.trace_.files[own], own, of.trace_.files.size(), of.trace_.options, of.tags_, *this,
               of.summary_) {
    if (of.trace_.has_facts[own] != 0) writer.read_ahead();
    writer.close();
  }

  std::uint32_t add(const ScheduleOperation& operation) override { return all.add(number, operation); }
  void require(std::uint32_t later, std::uint32_t earlier) override { connect(later, earlier, 0); }
  void require_start(std::uint32_t later, std::uint32_t earlier) override { connect(later, earlier, 1); }
  void connect(std::uint32_t later, std::uint32_t earlier, std::uint32_t start) {
    const OperationId first = all.trace_.first_operation[number];
    all.connect(first + later, first + earlier, start);
  }

  StreamedOperations& all;
  std::uint32_t number;
  RankWriter writer;
  OperationId last =
      no_operation;              // whose start all that is not read waits for; none: the file is at its end
  std::uint32_t operations = 0;  // that were read
  std::uint32_t low = 0;         // those before are over
  std::uint32_t released = 0;
};

StreamedOperations::StreamedOperations(const StreamedTrace& trace)
    : trace_(trace),
      steps_(trace.operations()),
      states_(trace.operations()),
      times_(trace.operations()),
      progress_(trace.operations()),
      last_edges_(trace.operations()),
      leaves_next_(trace.operations()) {
  ranks_.reserve(trace.ranks());
  for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    ranks_.push_back(std::make_unique<Rank>(*this, rank));
    read_on(rank);
  }
}

StreamedOperations::~StreamedOperations() = default;

OperationId StreamedOperations::read_until(std::uint32_t rank) const {
  return trace_.first_operation[rank] + ranks_[rank]->operations;
}

std::uint32_t StreamedOperations::add(std::uint32_t rank, const ScheduleOperation& operation) {
  const std::uint32_t number = ranks_[rank]->operations++;
  const OperationId id = trace_.first_operation[rank] + number;
  if (id >= trace_.first_operation[rank + std::size_t{1}])
    throw TraceError(trace_.files[rank].string() + ": changes while it is read; replay it when it is whole");
  Step step = step_of(operation, rank);
  if (step.background)
    step.cpu = static_cast<std::uint16_t>(trace_.resources.first_cpu[rank + std::size_t{1}] -
                                          trace_.resources.first_cpu[rank] - 1);
  if (step.sends) step.channel = channels_.add_end({operation.peer, rank, operation.tag});
  if (step.receives) step.channel = channels_.add_end({rank, operation.peer, operation.tag});
  steps_[id] = step;
  return number;
}

void StreamedOperations::connect(OperationId later, OperationId earlier, std::uint32_t start) {
  OperationState& state = states_[later];
  const Progress now = progress_[earlier];
  if (now >= Progress::ended || (start != 0 && now == Progress::started)) {
    const Times& times = times_[earlier];
    state.ready_s = std::max(state.ready_s, start != 0 ? times.start_s : times.end_s);
    return;
  }
  std::uint32_t edge = free_edge_;
  if (edge == 0) {
    edge = static_cast<std::uint32_t>(edges_.size());
    edges_.emplace_back();
  } else {
    free_edge_ = edges_[edge].next;
  }
  edges_[edge] = {.later_and_start = later << 1U | start};
  Step& step = steps_[earlier];
  step.starts = step.starts || start != 0;
  (step.first_dependent == 0 ? step.first_dependent : edges_[last_edges_[earlier]].next) = edge;
  last_edges_[earlier] = edge;
  ++state.remaining;
}

void StreamedOperations::start(std::uint32_t rank, OperationId id, double now_s) {
  if (id == ranks_[rank]->last) read_on(rank);  // before it counts as started: what is read waits for it
  times_[id].start_s = now_s;
  progress_[id] = Progress::started;
}

void StreamedOperations::end(OperationId id, double now_s) {
  times_[id].end_s = now_s;
  progress_[id] = steps_[id].sends ? Progress::ended : Progress::over;
}

void StreamedOperations::forget_dependents(OperationId id) {
  const std::uint32_t first = std::exchange(steps_[id].first_dependent, 0);
  if (first == 0) return;
  edges_[last_edges_[id]].next = free_edge_;
  free_edge_ = first;
}

void StreamedOperations::read_on(std::uint32_t rank) {
  Rank& of = *ranks_[rank];
  const OperationId before = read_until(rank);
  const bool is_more = of.writer.write_some(operations_ahead);
  for (OperationId id = before; of.last != no_operation && id < read_until(rank); ++id) {
    has_loose_ = has_loose_ || states_[id].remaining == 0;
  }
  of.last = is_more ? trace_.first_operation[rank] + of.writer.last().value() : no_operation;
  release(rank);
}

void StreamedOperations::release(std::uint32_t rank) {
  Rank& of = *ranks_[rank];
  const OperationId first = trace_.first_operation[rank];
  while (of.low < of.operations && progress_[first + of.low] == Progress::over) ++of.low;
  if (of.low - of.released < operations_at_a_time) return;
  // Operations that are over may still be waited for.
  const std::uint32_t end = std::min(of.low, of.writer.oldest_open());
  if (end - of.released < operations_at_a_time) return;
  const auto release_in = [&](auto& array) { array.release(first, first + of.released, first + end); };
  release_in(steps_);
  release_in(states_);
  release_in(times_);
  release_in(progress_);
  release_in(last_edges_);
  release_in(leaves_next_);
  of.released = end;
}

}  // namespace stretto::replay
