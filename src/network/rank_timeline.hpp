// SPDX-License-Identifier: BSD-3-Clause
// One rank of a schedule in virtual time, where all ranks do the same: its clock, and the clocks of its
// injection queue and network card. The network model is that of the virtual machine
// (tests/known_answers). The card takes messages one at a time, g + (s-1) G each; the injection queue
// takes a start every g_queue. The fraction `overlap` of a transfer passes while its origin is outside of
// calls, the rest once it waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/path_costs.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

class RankTimeline {
 public:
  /// `costs` must outlive this object.
  explicit RankTimeline(const PathCosts& costs) : costs_(costs) {}

  [[nodiscard]] double now_s() const { return now_s_; }

  /// Computes; `work_s` is the time alone. While messages are in flight it proceeds at rate 1 - steal.
  void compute(double work_s);
  /// Waits for the injection queue and pays o_s. The card gets the message when the queue has taken it (eq.
  /// 4 of the architectural probes' paper). Returns the number of the transfer, from 0 on.
  std::size_t start(TransferOperation operation, std::uint64_t size_bytes);
  /// Waits for the completion of a transfer (see GraphStep::Kind::finish).
  void finish(std::size_t transfer);
  /// Waits for a signal. The flag of a put is sent once its data is acknowledged, and visible L later.
  void await(std::size_t transfer);
  /// Advances the clock independently of messages in flight.
  void pass(double duration_s) { now_s_ += duration_s; }
  /// A dissemination barrier: ceil(log2 P) rounds of one small message each.
  void barrier(int ranks);

 private:
  struct StartedTransfer {
    std::size_t costs;  // index into known_
    double left_s;      // when the last byte has left the card, or the last that passes outside of calls
    double rest_s;      // wire time of the rest, which passes while the rank waits
    TransferOperation operation;
  };

  struct Known {
    std::uint64_t size_bytes;
    TransferCosts costs;
  };

  [[nodiscard]] std::size_t costs_of(std::uint64_t size_bytes);
  /// The time at which the data is at the destination; for a put, at which the origin knows this.
  [[nodiscard]] double over_s(const StartedTransfer& transfer) const;
  /// The wire time that passes outside of calls, limited by the capacity of buffers.
  double unattended_s(const TransferCosts& costs, double wire_s);
  /// Sends the rest of all transfers in the order of their starts; called by calls that wait.
  void drive();

  const PathCosts& costs_;
  double now_s_ = 0;
  double queue_free_s_ = 0;
  double card_free_s_ = 0;
  double moving_until_s_ = 0;
  double buffered_s_ = 0;
  std::vector<StartedTransfer> transfers_;
  std::vector<std::size_t> undriven_;
  std::vector<Known> known_;  // costs of the few sizes seen so far
  std::size_t last_known_ = 0;
};

}  // namespace stretto::network
