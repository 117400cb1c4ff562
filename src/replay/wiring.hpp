// SPDX-License-Identifier: BSD-3-Clause
// What the operations of a schedule share, found once for all its replays: the processors and network cards
// that they take, and the channels on which sends and receives meet. Hashing is done here, and not at each
// message of each replay.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/schedule.hpp"

namespace stretto::replay {

inline constexpr std::uint32_t no_channel = 0xFFFFFFFF;

struct Wiring {
  /// Throws ScheduleError when cpus or nics are numbered with holes that would cost more memory than a
  /// schedule is worth.
  explicit Wiring(const Schedule& schedule);

  /// Per rank, and one past the last: its processors and cards, of which an operation takes that of its
  /// number.
  std::vector<std::uint32_t> first_cpu;
  std::vector<std::uint32_t> first_card;
  /// Per operation. A channel has one sender, receiver and tag, and keeps the order in which messages were
  /// sent. To a rank with wildcard receives there is one channel a sender; its receives have none.
  std::vector<std::uint32_t> channel;
  std::uint32_t channels = 0;
  /// Per rank: it has receives from any source or with any tag.
  std::vector<std::uint8_t> wild;
  bool several_cards = false;  ///< somebody has more than one, so that messages may overtake
};

}  // namespace stretto::replay
