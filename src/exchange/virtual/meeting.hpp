// SPDX-License-Identifier: BSD-3-Clause
// Collective operations of virtual ranks for control data. They take no time, so that they add nothing to
// what is measured. All ranks leave when the last one has entered and the bytes are there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "exchange/virtual/schedule.hpp"

namespace stretto::exchange {

class VirtualMeeting final : public Awaited {
 public:
  enum class Kind { broadcast, gather, reserve };

  VirtualMeeting(int ranks, VirtualSchedule& schedule)
      : schedule_(schedule), seats_(static_cast<std::size_t>(ranks)) {}

  /// Broadcasts rank 0's bytes. Throws std::logic_error when the ranks disagree on the operation or its
  /// length.
  void broadcast(int rank, std::span<std::byte> data) { meet(rank, Kind::broadcast, data, data); }
  /// Gathers all ranks' bytes in rank 0's `all`.
  void gather(int rank, std::span<const std::byte> mine, std::span<std::byte> all) {
    meet(rank, Kind::gather, mine, all);
  }
  void reserve(int rank) { meet(rank, Kind::reserve, {}, {}); }

  [[nodiscard]] std::string describe_wait(int rank) const override;

 private:
  struct Seat {
    std::span<const std::byte> gives;
    std::span<std::byte> takes;
    bool taken = false;
  };

  void meet(int rank, Kind kind, std::span<const std::byte> gives, std::span<std::byte> takes);
  void hand_round() const;

  VirtualSchedule& schedule_;
  std::vector<Seat> seats_;
  std::size_t present_ = 0;
  Kind kind_ = Kind::broadcast;
};

}  // namespace stretto::exchange
