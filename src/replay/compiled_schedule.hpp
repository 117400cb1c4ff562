// SPDX-License-Identifier: BSD-3-Clause
// A schedule compiled for its replays: the processors and network cards that its operations take, and the
// channels on which sends and receives match. Hashing is done once, and not at each message of each replay.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/schedule.hpp"

namespace stretto::replay {

inline constexpr std::uint32_t no_channel = 0xFFFFFFFF;

/// All that a replay reads of an operation. A replay touches one or two cache lines an operation, where the
/// schedule's arrays would be ten.
struct Step {
  double amount = 0;  ///< bytes of a message, seconds of a calculation
  std::uint32_t peer = 0;
  /// A channel has one sender, receiver and tag, and keeps the order in which messages were sent. To a rank
  /// with wildcard receives there is one channel a sender; its receives have none.
  std::uint32_t channel = no_channel;
  std::uint32_t first_dependent = 0;  ///< in Schedule::dependents; the next step's is the end
  OperationKind kind = OperationKind::calculate;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  bool starts = false;  ///< an operation waits for its start
};

struct CompiledSchedule {
  /// Throws ScheduleError when cpus or nics are numbered with holes that would cost more memory than a
  /// schedule is worth.
  explicit CompiledSchedule(const Schedule& schedule);

  SpillableColumn<Step> steps;  ///< per operation, and one past the last
  /// Per rank, and one past the last: its processors and cards, of which an operation takes that of its
  /// number.
  std::vector<std::uint32_t> first_cpu;
  std::vector<std::uint32_t> first_card;
  std::uint32_t channels = 0;
  std::vector<std::uint8_t> wild;  ///< per rank: it has receives from any source or with any tag
  bool several_cards = false;      ///< a rank has more than one, so that messages may overtake

 private:
  void find_channels(const Schedule& schedule);
};

}  // namespace stretto::replay
