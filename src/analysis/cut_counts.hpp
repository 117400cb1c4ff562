// SPDX-License-Identifier: BSD-3-Clause
// How many messages and collective operations of all ranks begin after a cut. All that was sent has been
// received when a program has ended, so the last ones of both sides meet, and what one side has too much of
// comes first: its other side lies before the cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/message_table.hpp"

namespace stretto::analysis {

/// Collective operations that follow each other: those of a communicator or window by its key, with tag 0,
/// and the starts of one persistent operation.
using Sequence = std::pair<std::uint64_t, std::int32_t>;
/// When the last messages of a channel were sent and received, the last one first. Sorted by time, so that it
/// does not matter in which order threads and receives from any source completed them.
struct LastTimes {
  std::vector<double> sent_s;      ///< at the earliest
  std::vector<double> received_s;  ///< at the latest
};

/// By the key of a window, the rank that exposes memory and the one that accesses it.
using EpochPair = std::tuple<std::uint64_t, std::int32_t, std::int32_t>;

class CutCounts {
 public:
  explicit CutCounts(std::size_t ranks) : joined_(ranks) {}

  void add(const Channel& channel, const LastTimes& times = {});
  /// A rank calls the next operation of a sequence, which has so many members.
  void join(std::size_t rank, const Sequence& sequence, std::size_t members);
  void open(const EpochPair& pair, bool exposes);
  /// To be called after all ranks have been counted.
  void finish();

  /// A channel with a message that was sent after the receive that it would meet had ended: one of its
  /// messages was never received. Not every such channel shows it. Nothing: none does.
  [[nodiscard]] std::optional<Channel::Key> unreceived() const;

  /// How many of a channel's first messages have only this end.
  [[nodiscard]] std::uint64_t lone(const Channel::Key& channel, bool sends) const;
  /// How many of a rank's first operations other members have begun before the cut.
  [[nodiscard]] std::uint64_t lone(std::size_t rank, const Sequence& sequence) const;
  /// How many of a pair's first epochs the other rank has opened before the cut.
  [[nodiscard]] std::uint64_t lone(const EpochPair& pair, bool exposes) const;

 private:
  struct Ends {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
    LastTimes times;
  };
  struct Joined {
    std::uint64_t fewest = 0;
    std::size_t ranks = 0;
    std::size_t members = 0;
  };
  std::map<Channel::Key, Ends> channels_;
  std::vector<std::map<Sequence, std::uint64_t>> joined_;  // by rank
  std::map<Sequence, Joined> sequences_;
  struct Openings {
    std::uint64_t exposing = 0;
    std::uint64_t accessing = 0;
  };
  std::map<EpochPair, Openings> epochs_;
};

}  // namespace stretto::analysis
