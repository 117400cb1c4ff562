// SPDX-License-Identifier: BSD-3-Clause
// A schedule compiled for its replays: the processors and network cards of its operations, and the channels
// on which sends and receives match. The hashing is done once instead of at each message of each replay.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/schedule.hpp"

namespace stretto::replay {

inline constexpr std::uint32_t no_channel = 0xFFFFFFFF;

/// The data of an operation that a replay reads. It is compact: one or two cache lines per operation, where
/// the schedule's arrays would need ten.
struct Step {
  double amount = 0;  ///< bytes of a message, seconds of a calculation
  std::uint32_t peer = 0;
  /// A channel has one sender, receiver and tag, and keeps the order of sends. A rank with wildcard
  /// receives has one channel per sender; its receives have none.
  std::uint32_t channel = no_channel;
  std::uint32_t first_dependent = 0;  ///< first index in Schedule::dependents; the next step's is the end
  std::uint16_t cpu = 0;
  std::uint8_t nic = 0;
  bool sends : 1 = false;
  bool receives : 1 = false;    ///< neither: a calculation
  bool starts : 1 = false;      ///< another operation waits for the start of this one
  bool to_self : 1 = false;     ///< a send to the own rank, which uses no network
  bool background : 1 = false;  ///< of background_cpu; `cpu` is then a number after those of the rank
  bool one_sided : 1 = false;   ///< of one_sided_nic; `nic` is then 0

  [[nodiscard]] OperationKind kind() const {
    if (sends) return OperationKind::send;
    return receives ? OperationKind::receive : OperationKind::calculate;
  }
};
static_assert(sizeof(Step) == 24, "a replay of a long schedule is as fast as it reads its steps");

/// What the ranks of a schedule have, by the operations that use it.
struct RankResources {
  /// Per rank, and one past the last: the index of its first processor and card. An operation adds its own
  /// number.
  std::vector<std::uint32_t> first_cpu;
  std::vector<std::uint32_t> first_card;
  std::vector<std::uint8_t> wild;  ///< per rank: whether it has receives from any source or with any tag
  bool has_one_sided = false;
  bool several_cards = false;  ///< whether a rank has several cards, so that messages may overtake each other
};

/// The data of an operation of `rank`, without its channel; of background_cpu, `cpu` is that number. It is
/// initialised as a whole, because a copy right after stores to single members waits for them. Inline, so
/// that a schedule's columns of which nothing is needed are not read.
[[nodiscard]] inline Step step_of(const ScheduleOperation& operation, std::uint32_t rank,
                                  std::uint32_t first_dependent = 0, bool starts = false) {
  constexpr double seconds_per_nanosecond = 1e-9;
  const OperationKind kind = operation.kind;
  const double scale = kind == OperationKind::calculate ? seconds_per_nanosecond : 1;
  return {.amount = scale * static_cast<double>(operation.amount),
          .peer = operation.peer,
          .first_dependent = first_dependent,
          .cpu = operation.cpu,
          .nic = operation.nic == one_sided_nic ? std::uint8_t{0} : operation.nic,
          .sends = kind == OperationKind::send,
          .receives = kind == OperationKind::receive,
          .starts = starts,
          .to_self = kind == OperationKind::send && operation.peer == rank,
          .background = operation.cpu == background_cpu,
          .one_sided = operation.nic == one_sided_nic};
}

struct CompiledSchedule : RankResources {
  /// Throws ScheduleError when the numbers of cpus or nics have gaps that would cost too much memory.
  explicit CompiledSchedule(const Schedule& schedule);

  SpillableColumn<Step> steps;  ///< per operation, and one past the last
  std::uint32_t channels = 0;

 private:
  void place_background(const Schedule& schedule, std::uint32_t rank, std::uint32_t cpu);
  void find_channels(const Schedule& schedule);
};

}  // namespace stretto::replay
