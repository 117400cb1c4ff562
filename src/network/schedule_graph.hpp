// SPDX-License-Identifier: BSD-3-Clause
// A schedule as a dependency graph. All ranks do the same, shifted: rank m starts its k-th transfer with rank
// m + hop. The steps of one rank are therefore the whole graph: what reaches m over `hop` is what m itself
// starts over `hop`, seen from the other end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::network {

/// A put is acknowledged; a get begins with a request; a send takes part on both sides.
enum class TransferOperation : std::uint8_t { put, get, send };

[[nodiscard]] std::string_view name_of(TransferOperation operation);

struct GraphStep {
  /// compute: `parts` of the schedule's computation. start: a transfer to the rank `hop` further on; a get
  /// comes from there. finish: waits until transfer `message` is complete (a get's data is here, a put's
  /// there); of a send, until the message that came the same way is here. await: waits for the signal of the
  /// transfer that reaches this rank as `message` leaves it.
  enum class Kind : std::uint8_t { compute, start, finish, await };

  Kind kind = Kind::compute;
  TransferOperation operation = TransferOperation::put;  ///< of start
  std::uint8_t segment = 0;                              ///< of compute and start: where their time counts
  std::uint32_t message = 0;                             ///< of start, finish and await
  std::uint32_t hop = 0;                                 ///< of start
  std::uint64_t size_bytes = 0;                          ///< of start
  double parts = 0;                                      ///< of compute

  friend bool operator==(const GraphStep&, const GraphStep&) = default;
};

struct ScheduleGraph {
  std::string name;
  int ranks = 1;
  int parts = 1;  ///< the computation is so many parts
  std::vector<GraphStep> steps;
  /// Names of segments. The first two are those of waits and of the barrier that ends every schedule.
  std::vector<std::string> segments{"sync", "barrier"};
  std::uint32_t messages = 0;  ///< started by a rank

  /// The number of a segment, which is added where it is new.
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
