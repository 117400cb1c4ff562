// SPDX-License-Identifier: BSD-3-Clause
// Collective operations of virtual ranks for control data. They take no time, so that they add nothing to
// what is measured. All ranks leave when the last one has entered and the bytes are there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "known_answers/schedule.hpp"

namespace stretto::known_answers {

class VirtualControlCollective final : public Awaited {
 public:
  enum class Kind { broadcast, gather, reserve };

  VirtualControlCollective(int ranks, VirtualSchedule& schedule)
      : schedule_(schedule), contributions_(static_cast<std::size_t>(ranks)) {}

  /// Broadcasts rank 0's bytes. Throws std::logic_error when the ranks disagree on the operation or its
  /// length.
  void broadcast(int rank, std::span<std::byte> data) { join(rank, Kind::broadcast, data, data); }
  /// Gathers all ranks' bytes in rank 0's `all`.
  void gather(int rank, std::span<const std::byte> mine, std::span<std::byte> all) {
    join(rank, Kind::gather, mine, all);
  }
  void reserve(int rank) { join(rank, Kind::reserve, {}, {}); }

  [[nodiscard]] std::string describe_wait(int rank) const override;

 private:
  struct Contribution {
    std::span<const std::byte> sent;
    std::span<std::byte> received;
    bool joined = false;
  };

  void join(int rank, Kind kind, std::span<const std::byte> sent, std::span<std::byte> received);
  void distribute() const;

  VirtualSchedule& schedule_;
  std::vector<Contribution> contributions_;
  std::size_t joined_ = 0;
  Kind kind_ = Kind::broadcast;
};

}  // namespace stretto::known_answers
