// SPDX-License-Identifier: BSD-3-Clause
// Every rank has a small queue of its own. A message takes at least one time window to reach another rank.
// A rank can therefore run alone, from its own cache lines, until the earliest event of any rank could
// affect it. The result depends only on the order of events within each rank.
#include "replay/replay.hpp"

#include <algorithm>
#include <numeric>

namespace stretto::replay {

ReplayResult Replayer::run(const network::Network& network) {
  set_network(network);
  reset();
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) start_rank(rank);
  for (TimeWindows::Window window = windows_.next(); !window.ranks.empty(); window = windows_.next()) {
    for (std::size_t i = 0; i < window.ranks.size(); ++i) {
      const std::uint32_t rank = window.ranks[i];
      prefetch(window.ranks.subspan(i));
      run_rank(rank, window.until_s);
      if (!queues_[rank].empty()) windows_.put(rank, queues_[rank].top().time_s);
    }
  }
  const bool is_stuck = ended_ != first_operation_.back() && !is_truncated_;
  if (is_stuck || (stream_ != nullptr && stream_->has_loose())) throw stuck();
  return {.makespan_s = *std::ranges::max_element(ends_),
          .all_ranks_s = std::accumulate(ends_.begin(), ends_.end(), 0.0),
          .operations = first_operation_.back(),
          .messages = messages_,
          .unreceived = messages_ - received_};
}

/// A rank runs only briefly, and its data is in no near cache. The data of the next ranks is prefetched in
/// stages while this one runs, because each stage holds the address of the next.
void Replayer::prefetch(std::span<const std::uint32_t> ranks) {
  if (ranks.size() > 8) __builtin_prefetch(&queues_[ranks[8]]);
  if (ranks.size() > 6) {
    __builtin_prefetch(&queues_[ranks[6]].top());
    __builtin_prefetch(&cards_[resources_.first_card[ranks[6]]], 1);
  }
  if (ranks.size() > 4) {
    const OperationId id = queues_[ranks[4]].top().operation();
    __builtin_prefetch(&states_[id], 1);
    __builtin_prefetch(&steps_[id]);
  }
  if (ranks.size() > 2) {
    const Step& step = steps_[queues_[ranks[2]].top().operation()];
    if (schedule_ != nullptr) __builtin_prefetch(schedule_->dependents.data() + step.first_dependent);
    if (step.channel != no_channel) __builtin_prefetch(&channels_[step.channel], 1);
  }
}

void Replayer::enter(std::uint32_t rank) {
  rank_ = rank;
  cpu_ = &cpus_[resources_.first_cpu[rank]];
  card_ = &cards_[resources_.first_card[rank]];
  end_s_ = ends_[rank];
}

/// Operations without dependencies begin first, in the schedule's order.
void Replayer::start_rank(std::uint32_t rank) {
  enter(rank);
  const OperationId first = first_operation_[rank];
  if (schedule_ != nullptr) {
    for (OperationId id = first; id < first_operation_[rank + 1]; ++id) {
      if (schedule_->dependencies[id] == 0) begin_operation(id, 0);
    }
  } else {
    std::vector<OperationId> free;
    for (OperationId id = first; id < stream_->read_until(rank); ++id) {
      if (states_[id].remaining == 0) free.push_back(id);
    }
    for (const OperationId id : free) begin_operation(id, 0);
  }
  ends_[rank] = end_s_;
  if (!queues_[rank].empty()) windows_.put(rank, queues_[rank].top().time_s);
}

void Replayer::run_rank(std::uint32_t rank, double until_s) {
  enter(rank);
  network::EventHeap<LocalEvent>& queue = queues_[rank];
  do {
    const LocalEvent event = queue.top();
    queue.pop();
    handle(event);
  } while (!queue.empty() && queue.top().time_s < until_s);
  ends_[rank] = end_s_;
}

void Replayer::push(std::uint32_t rank, Kind kind, double time_s, OperationId id) {
  queues_[rank].push({time_s, LocalEvent::order_of(kind, id)});
  if (rank != rank_) windows_.put(rank, time_s);
}

void Replayer::handle(const LocalEvent& event) {
  const OperationId id = event.operation();
  const double now_s = event.time_s;
  switch (event.kind()) {
    case ready:
      begin_group(id, event.followers(), now_s);
      break;
    case complete:
      receive(id, now_s);
      break;
    case arrival:
      if (is_rendezvous(id)) {
        arrive(id, now_s, now_s);
      } else {
        ++messages_;
        arrive(id, now_s, take_in(id, now_s));
      }
      break;
    case delivery: {
      ++messages_;
      const OperationId taker = states_[id].link;
      receive_from(taker, now_s, take_in(id, now_s));
      break;
    }
    case answer:
      send_answered(id, now_s);
      break;
    case late_answer: {
      const std::uint8_t nic = steps_[id].nic;
      const double since_s = card_[nic].out_since_s;
      send_answered(id, now_s);
      if (card_[nic].out_since_s != since_s)
        controls_[resources_.first_card[rank_] + nic].data_is_late = true;
      break;
    }
    case left:
      leave(id, now_s);
      break;
  }
}

/// Begins `first` and the `more` operations after it, until an event that one of them causes comes first.
void Replayer::begin_group(OperationId first, std::uint32_t more, double now_s) {
  network::EventHeap<LocalEvent>& queue = queues_[rank_];
  begin_operation(first, now_s);
  for (; more > 0; --more) {
    const LocalEvent rest{now_s, LocalEvent::order_of(ready, ++first) + more - 1};
    if (!queue.empty() && queue.top().before(rest)) {
      queue.push(rest);
      return;
    }
    begin_operation(first, now_s);
  }
}

/// Prefetches the data of later operations, because operations begin roughly in their order. Prefetching
/// past the end is harmless.
void Replayer::prefetch(OperationId id, std::uint32_t first_dependent) {
  constexpr std::size_t ahead = 16;
  __builtin_prefetch(steps_ + id + ahead);
  __builtin_prefetch(states_ + id + ahead, 1);
  if (schedule_ != nullptr) __builtin_prefetch(schedule_->dependents.data() + first_dependent + ahead);
}

void Replayer::begin_operation(OperationId id, double now_s) {
  const Step& step = steps_[id];
  prefetch(id, step.first_dependent);
  switch (step.kind()) {
    case OperationKind::send:
      begin_send(id, now_s);
      break;
    case OperationKind::receive:
      started(id, now_s);
      post(id, now_s);
      break;
    case OperationKind::calculate: {
      double& cpu_free_s = cpu_[step.cpu];
      const double begin_s = std::max(now_s, cpu_free_s);
      cpu_free_s = begin_s + step.amount;
      if (!stalls_.empty() && step.cpu == 0 && step.amount > handed_over_s_) {
        const double stalled_s = step.amount - handed_over_s_;
        stalls_[rank_] = {stalls_[rank_].all_s + stalled_s, stalled_s, begin_s + handed_over_s_};
      }
      started(id, begin_s);
      ended(id, cpu_free_s);
      break;
    }
  }
}

void Replayer::started(OperationId id, double now_s) {
  if (stream_ != nullptr) {
    stream_->start(rank_, id, now_s);
    add_channels();
  }
  if (steps_[id].starts) release_dependents(id, 1, now_s);
}

void Replayer::ended(OperationId id, double now_s) {
  states_[id].remaining = Stuck::ended;
  ++ended_;
  end_s_ = std::max(end_s_, now_s);
  if (stream_ != nullptr) stream_->end(id, now_s);
  release_dependents(id, 0, now_s);
  if (stream_ != nullptr) stream_->forget_dependents(id);
}

/// Releases the operations that wait for the end of `id` (`start` 0) or its start (1). Consecutive operations
/// that are ready at the same time, such as all messages behind a calculation, are one event.
void Replayer::release_dependents(OperationId id, std::uint32_t start, double time_s) {
  Group group;
  if (stream_ != nullptr) {
    stream_->for_each_dependent(id,
                                [&](std::uint32_t dependent) { release(dependent, start, time_s, group); });
  } else {
    const std::uint32_t end = steps_[id + 1].first_dependent;
    for (std::uint32_t at = steps_[id].first_dependent; at < end; ++at) {
      release(schedule_->dependents[at], start, time_s, group);
    }
  }
  push(group);
}

/// Releases one of them, as `Schedule::dependents` has it; pushes the group that it does not continue.
inline void Replayer::release(std::uint32_t dependent, std::uint32_t start, double time_s, Group& group) {
  if ((dependent & 1U) != start) return;
  const OperationId later = dependent >> 1U;
  State& state = states_[later];
  state.ready_s = std::max(state.ready_s, time_s);
  if (--state.remaining != 0) return;
  if (group.count > 0 && later == group.first + group.count && state.ready_s == group.ready_s &&
      group.count <= LocalEvent::max_in_group) {
    ++group.count;
    return;
  }
  push(group);
  group = {.first = later, .count = 1, .ready_s = state.ready_s};
}

inline void Replayer::push(const Group& group) {
  if (group.count == 0) return;
  queues_[rank_].push({group.ready_s, LocalEvent::order_of(ready, group.first) + group.count - 1});
}

}  // namespace stretto::replay
