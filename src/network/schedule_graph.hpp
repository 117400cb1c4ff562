// SPDX-License-Identifier: BSD-3-Clause
// A schedule as a dependency graph. All ranks do the same, shifted: rank m starts its k-th transfer with
// rank m + hop. The steps of one rank therefore describe the whole graph: the transfer that reaches m over
// `hop` is the one that m itself starts over `hop`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::network {

/// A put is acknowledged; a get begins with a request; a send is two-sided.
enum class TransferOperation : std::uint8_t { put, get, send };

[[nodiscard]] std::string_view name_of(TransferOperation operation);

struct GraphStep {
  /// compute: `parts` of the schedule's computation. start: a transfer to the rank `hop` further on, or a
  /// get from there. finish: waits until transfer `message` is complete: a get's data is here, a put's data
  /// is at its target; for a send, until the incoming message of the same number is here. await: waits for
  /// the signal of the incoming transfer that corresponds to `message`.
  enum class Kind : std::uint8_t { compute, start, finish, await };

  Kind kind = Kind::compute;
  TransferOperation operation = TransferOperation::put;  ///< of start
  std::uint8_t segment = 0;      ///< of compute and start: the segment that gets their time
  std::uint32_t message = 0;     ///< of start, finish and await
  std::uint32_t hop = 0;         ///< of start
  std::uint64_t size_bytes = 0;  ///< of start
  double parts = 0;              ///< of compute

  friend bool operator==(const GraphStep&, const GraphStep&) = default;
};

struct ScheduleGraph {
  std::string name;
  int ranks = 1;
  int parts = 1;  ///< the number of equal parts of the computation
  std::vector<GraphStep> steps;
  /// Names of segments. The first two are those of waits and of the final barrier.
  std::vector<std::string> segments{"sync", "barrier"};
  std::uint32_t messages = 0;  ///< number of messages that a rank starts

  /// The number of a segment; a new name adds a segment.
  std::uint8_t segment(std::string_view name);

  void compute(double share, std::uint8_t segment);
  /// Returns the number of the message.
  std::uint32_t start(std::uint32_t hop, std::uint64_t size_bytes, TransferOperation operation,
                      std::uint8_t segment);
  void finish(std::uint32_t message);
  void await(std::uint32_t message);

  [[nodiscard]] std::uint64_t largest_bytes() const;
  /// The first start; null where there is none.
  [[nodiscard]] const GraphStep* first_start() const;
};

constexpr std::uint8_t sync_segment = 0;
constexpr std::uint8_t barrier_segment = 1;

}  // namespace stretto::network
