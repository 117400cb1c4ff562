// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/fft/predicted.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/fft/engine.hpp"
#include "kernel/fft/transpose_setup.hpp"

namespace stretto::kernel {
namespace {

/// A rank under way: its clock, and those of its injection queue and network card.
class Rank {
 public:
  Rank(const profile::MachineCosts& costs, Completion completion)
      : costs_(costs), completion_(completion), unattended_bytes_(costs.unattended_bytes()) {}

  void compute(double flops) { now_s_ += flops * costs_.seconds_per_flop; }

  /// Starts a message; returns its number.
  std::size_t start(std::size_t size_bytes) {
    const profile::MessageCosts& costs = costs_.at(size_bytes);
    const double begin_s = std::max(now_s_, queue_free_s_);
    queue_free_s_ = begin_s + costs.gap_queue_s;
    now_s_ = begin_s + costs.overhead_send_s;
    const double wire_s = static_cast<double>(size_bytes - 1) * costs.gap_s_per_byte;
    const double room_s = std::max(unattended_bytes_ * costs.gap_s_per_byte - buffered_s_, 0.0);
    const double alone_s = std::min(costs_.overlap_at(size_bytes) * wire_s, room_s);
    buffered_s_ += alone_s;
    card_free_s_ = std::max({now_s_, queue_free_s_, card_free_s_}) + alone_s;
    messages_.push_back({.costs = &costs, .left_s = card_free_s_, .rest_s = wire_s - alone_s});
    return messages_.size() - 1;
  }

  /// Waits for the message that comes as this one goes. What has not passed by itself goes out now, in order.
  void await(std::size_t message) {
    for (; driven_ < messages_.size(); ++driven_) {
      Message& one = messages_[driven_];
      if (one.rest_s <= 0) continue;
      card_free_s_ = one.left_s = std::max({now_s_, one.left_s, card_free_s_}) + one.rest_s;
    }
    buffered_s_ = 0;
    const Message& one = messages_[message];
    const double ways = completion_ == Completion::acknowledgement ? 2 : 1;
    now_s_ = std::max(now_s_, one.left_s + ways * one.costs->latency_s);
    if (completion_ == Completion::receive) now_s_ += one.costs->overhead_receive_s;
  }

  [[nodiscard]] double now_s() const { return now_s_; }

 private:
  struct Message {
    const profile::MessageCosts* costs;
    double left_s;  ///< when the last byte has left the card, or the last that leaves by itself
    double rest_s;  ///< on the wire, once somebody waits
  };

  const profile::MachineCosts& costs_;
  Completion completion_;
  double unattended_bytes_;
  double now_s_ = 0;
  double queue_free_s_ = 0;
  double card_free_s_ = 0;
  double buffered_s_ = 0;
  std::vector<Message> messages_;
  std::size_t driven_ = 0;
};

/// 5 n log2 n a line (a real one half of that), of so many lines.
double flops_of(std::size_t length, std::size_t lines, bool real = false) {
  const auto n = static_cast<double>(length);
  return (real ? 2.5 : 5) * n * std::log2(n) * static_cast<double>(lines);
}

/// Bytes that one other rank gets in a message of this group: of a plane, packed of all.
std::size_t bytes_of(const TransposeShape& shape, std::size_t rows) {
  return (shape.packed ? shape.a.largest() : 1) * rows * shape.c * sizeof(Complex);
}

}  // namespace

double predicted_s(const fft::Settings& settings, int ranks, const profile::MachineCosts& costs,
                   Completion completion) {
  const TransposeShape shape = transpose_shape(settings.schedule, {settings.size[0], ranks},
                                               {settings.size[1], ranks}, spectrum_length(settings));
  const int last = ranks - 1;  // whose part is the largest
  const int groups = shape.largest_pieces();
  const double along_n2 =
      flops_of(settings.size[2], shape.b.total, settings.kind == fft::Kind::real) / groups;
  Rank rank(costs, completion);
  std::vector<std::vector<std::size_t>> arriving(static_cast<std::size_t>(groups));
  const auto send = [&](int group) {
    for (int target = 1; target < ranks; ++target) {
      arriving[static_cast<std::size_t>(group)].push_back(
          rank.start(bytes_of(shape, shape.piece(last, group).second)));
    }
  };
  for (std::size_t plane = 0; plane < shape.a.largest(); ++plane) {
    rank.compute(flops_of(settings.size[1], shape.c));
    for (int group = 0; group < groups; ++group) {
      rank.compute(along_n2);
      if (!shape.packed) send(group);
    }
  }
  if (shape.packed) send(0);
  // Lines along n0 of each group as it has come; in natural order it goes back at once, and all is waited
  // for.
  std::vector<std::size_t> returning;
  for (int group = 0; group < groups; ++group) {
    for (const std::size_t message : arriving[static_cast<std::size_t>(group)]) rank.await(message);
    const std::size_t rows = shape.piece(last, group).second;
    rank.compute(flops_of(settings.size[0], rows * shape.c));
    if (settings.order == fft::Order::transposed) continue;
    const std::size_t back_bytes = shape.a.largest() * rows * shape.c * sizeof(Complex);
    for (int target = 1; target < ranks; ++target) returning.push_back(rank.start(back_bytes));
  }
  for (const std::size_t message : returning) rank.await(message);
  return rank.now_s();
}

}  // namespace stretto::kernel
