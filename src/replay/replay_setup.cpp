// SPDX-License-Identifier: BSD-3-Clause
// The initial state of a replay, and the report of one that cannot end.
#include <algorithm>
#include <limits>

#include "replay/replay.hpp"

namespace stretto::replay {

Replayer::Replayer(const Schedule& schedule, const CompiledSchedule& compiled)
    : first_operation_(schedule.first_operation),
      resources_(compiled),
      is_truncated_(schedule.truncated),
      schedule_(&schedule),
      compiled_(&compiled),
      steps_(compiled.steps.data()),
      state_column_(schedule.operations()),
      queues_(ranks()),
      ends_(ranks()),
      matcher_of_(ranks()),
      windows_(ranks()) {}

Replayer::Replayer(const StreamedTrace& trace)
    : first_operation_(trace.first_operation),
      resources_(trace.resources),
      is_truncated_(trace.is_truncated()),
      trace_(&trace),
      queues_(ranks()),
      ends_(ranks()),
      matcher_of_(ranks()),
      windows_(ranks()) {}

void Replayer::set_network(const network::Network& network) {
  network_ = &network;
  only_range_ = network.ranges.size() == 1 ? &network.ranges.front().loggp : nullptr;
  eager_bytes_ = static_cast<double>(network.eager_bytes);
  overhead_s_per_byte_ = network.overhead_s_per_byte;
  offload_ = network.progress == network::ProgressModel::offload;
  inside_calls_ = network.progress == network::ProgressModel::inside_calls;
  const std::uint64_t handed_over = network.buffer_bytes != 0 ? network.buffer_bytes : network.eager_bytes;
  handed_over_s_ = network.parameters(handed_over).wire_s(handed_over);
  waits_behind_data_ = network.buffer_bytes != 0 && !offload_;
  eager_may_stall_ = network.buffer_bytes != 0 && network.buffer_bytes < network.eager_bytes;
  const bool all_eager = network.eager_bytes >= largest_amount && !eager_may_stall_;
  // A message to the own rank that needs no processor would overtake one that does.
  may_overtake_ =
      only_range_ == nullptr || resources_.several_cards || resources_.has_one_sided || !all_eager;
  window_s_ = std::numeric_limits<double>::infinity();
  for (const network::NetworkRange& range : network.ranges) {
    // An answer costs no overhead, nor does a message that a card sends by itself.
    const double send_s = all_eager && !resources_.has_one_sided ? range.loggp.overhead_send_s : 0;
    double min_s = range.loggp.latency_s;
    if (network.node_ranks != 0) min_s = std::min(min_s, network.node_latency_s);
    window_s_ = std::min(window_s_, min_s + send_s);
    // Without a gap, messages without wire time leave and arrive at the same time.
    may_overtake_ = may_overtake_ || range.loggp.gap_s == 0;
  }
}

/// The operations as before a run, and their channels.
void Replayer::reset_operations() {
  channels_.clear();
  seen_.clear();
  if (trace_ != nullptr) {
    stream_.reset();  // before the next one takes as much memory
    stream_ = std::make_unique<StreamedOperations>(*trace_);
    steps_ = stream_->steps();
    states_ = stream_->states();
    leaves_next_ = stream_->leaves_next();
    add_channels();
    return;
  }
  channels_.assign(compiled_->channels, {});
  seen_.assign(may_overtake_ ? compiled_->channels : 0, {});
  states_ = state_column_.data();
  for (OperationId id = 0; id < schedule_->operations(); ++id) {
    states_[id] = {.remaining = schedule_->dependencies[id]};
  }
  leaves_next_column_.resize(inside_calls_ ? schedule_->operations() : 0);
  leaves_next_ = leaves_next_column_.data();
}

/// Those of the operations that were read.
void Replayer::add_channels() {
  if (stream_->channels() <= channels_.size()) return;
  channels_.resize(stream_->channels());
  if (may_overtake_) seen_.resize(stream_->channels());
}

void Replayer::reset() {
  reset_operations();
  std::ranges::fill(ends_, 0);
  for (network::EventHeap<LocalEvent>& queue : queues_) queue.clear();
  cpus_.assign(resources_.first_cpu.back(), 0);
  cards_.assign(resources_.first_card.back(), {});
  controls_.assign(cards_.size(), {});
  matchers_.clear();
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    if (resources_.wild[rank] == 0) continue;
    matcher_of_[rank] = static_cast<std::uint32_t>(matchers_.size());
    matchers_.emplace_back();
  }
  stalls_.assign(inside_calls_ ? ranks() : 0, {});
  leaving_.assign(inside_calls_ ? cards_.size() : 0, {});
  windows_.reset(window_s_);
  ended_ = messages_ = received_ = 0;
}

Stuck Replayer::stuck() const {
  std::vector<std::uint32_t> remaining(state_column_.size());
  std::ranges::transform(state_column_, remaining.begin(),
                         [](const State& state) { return state.remaining; });
  return Stuck(std::move(remaining));
}

}  // namespace stretto::replay
