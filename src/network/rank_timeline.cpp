// SPDX-License-Identifier: BSD-3-Clause
#include "network/rank_timeline.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace stretto::network {

std::size_t RankTimeline::costs_of(std::uint64_t size_bytes) {
  if (last_known_ < known_.size() && known_[last_known_].size_bytes == size_bytes) return last_known_;
  const auto found = std::ranges::find(known_, size_bytes, &Known::size_bytes);
  last_known_ = static_cast<std::size_t>(found - known_.begin());
  if (found == known_.end()) known_.push_back({size_bytes, costs_.at(size_bytes)});
  return last_known_;
}

void RankTimeline::compute(double work_s) {
  if (!transfers_.empty()) {
    const double steal = known_[transfers_.back().costs].costs.steal;
    const double moving_s = std::max(moving_until_s_ - now_s_, 0.0);
    const double whole_s = steal < 1 ? work_s / (1 - steal) : std::numeric_limits<double>::infinity();
    work_s += steal * std::min(moving_s, whole_s);
  }
  now_s_ += work_s;
}

std::size_t RankTimeline::start(TransferOperation operation, std::uint64_t size_bytes) {
  const std::size_t index = costs_of(size_bytes);
  const TransferCosts& costs = known_[index].costs;
  const LogGp& loggp = costs.loggp;
  const double begin_s = std::max(now_s_, queue_free_s_);
  queue_free_s_ = begin_s + loggp.gap_queue_s;
  now_s_ = begin_s + loggp.overhead_send_s;
  double ready_s = std::max(now_s_, queue_free_s_);
  // The request of a get travels first. All ranks do the same, so that this card serves a request when the
  // remote card serves ours.
  if (operation == TransferOperation::get) ready_s += loggp.latency_s;
  const double wire_s = loggp.wire_s(size_bytes);
  const double alone_s = unattended_s(costs, wire_s);
  const double alone_until_s = std::max(ready_s, card_free_s_) + alone_s;
  const StartedTransfer transfer{
      .costs = index, .left_s = alone_until_s, .rest_s = wire_s - alone_s, .operation = operation};
  const bool whole = transfer.rest_s <= 0;
  card_free_s_ = alone_until_s + (whole ? loggp.gap_s : 0.0);
  moving_until_s_ = std::max(moving_until_s_, whole ? over_s(transfer) : alone_until_s);
  if (!whole) undriven_.push_back(transfers_.size());
  transfers_.push_back(transfer);
  return transfers_.size() - 1;
}

double RankTimeline::over_s(const StartedTransfer& transfer) const {
  const double ways = transfer.operation == TransferOperation::put ? 2 : 1;
  return transfer.left_s + ways * known_[transfer.costs].costs.loggp.latency_s;
}

double RankTimeline::unattended_s(const TransferCosts& costs, double wire_s) {
  const double alone_s = costs.overlap * wire_s;
  if (std::isinf(costs.unattended_bytes)) return alone_s;
  const double free_s = std::max(costs.unattended_bytes * costs.loggp.gap_s_per_byte - buffered_s_, 0.0);
  const double held_s = std::min(alone_s, free_s);
  buffered_s_ += held_s;
  return held_s;
}

void RankTimeline::drive() {
  for (const std::size_t number : undriven_) {
    StartedTransfer& transfer = transfers_[number];
    transfer.left_s = std::max({now_s_, transfer.left_s, card_free_s_}) + transfer.rest_s;
    card_free_s_ = transfer.left_s + known_[transfer.costs].costs.loggp.gap_s;
    moving_until_s_ = std::max(moving_until_s_, over_s(transfer));
  }
  undriven_.clear();
  buffered_s_ = 0;
}

void RankTimeline::finish(std::size_t transfer) {
  drive();
  const StartedTransfer& mine = transfers_[transfer];
  now_s_ = std::max(now_s_, over_s(mine)) + known_[mine.costs].costs.loggp.overhead_receive_s;
}

void RankTimeline::await(std::size_t transfer) {
  drive();
  const StartedTransfer& mine = transfers_[transfer];
  const LogGp& loggp = known_[mine.costs].costs.loggp;
  const double flag_s = mine.operation == TransferOperation::send ? 0 : loggp.latency_s;
  now_s_ = std::max(now_s_, over_s(mine) + flag_s) + loggp.overhead_receive_s;
}

void RankTimeline::barrier(int ranks) {
  const LogGp small = costs_.loggp_at(0);
  const double round_s = small.overhead_send_s + small.latency_s + small.overhead_receive_s;
  pass(std::bit_width(static_cast<unsigned>(ranks - 1)) * round_s);
}

}  // namespace stretto::network
