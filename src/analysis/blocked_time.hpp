// SPDX-License-Identifier: BSD-3-Clause
// Where the time in MPI calls goes: transfer, late partners, a program's own progress, too few cores.
//
// A receive or a wait that begins before its message is sent waits for a late sender, and a send that ends
// after its receive is posted for a late receiver; a collective operation waits for the last rank, or for the
// root (Scalasca's wait states). Then the message is on its way. What remains is neither: the message waits
// for progress of MPI, or, with more ranks than cores, the rank waits for a core.
//
// A receive of messages that were there, and with sends that had returned, has nothing to wait for: all of
// its time is MPI's own. Blocking sends of a place most of which return before their receives are posted do
// not wait for receivers: MPI buffers their messages. The shortest of them has waited for nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "analysis/cost.hpp"
#include "analysis/streams.hpp"
#include "analysis/sums.hpp"
#include "analysis/timed_calls.hpp"

namespace stretto::analysis {

/// Seconds in calls, summed over threads.
struct BlockedTime {
  double transfer_s = 0;  ///< messages were on their way
  double late_s = 0;      ///< the partner, or the last rank of a collective operation, had not begun
  double progress_s =
      0;  ///< the message could have been there: MPI made no progress, or the calls took the time
  double cores_s = 0;  ///< the same where more ranks than cores share a host
  double poll_s = 0;   ///< of progress: the partner computed, and the wait lasted until its next call
  double calls_s = 0;  ///< of progress: calls with nothing to wait for, such as MPI_Isend

  void add(const BlockedTime& other);
};

/// Of some ranks, or of all. `call` is the name of the calls at a place.
struct TimeUse {
  struct Site {
    BlockedTime blocked;
    std::string call;
  };
  /// Of each rank from the end of its MPI_Init to the begin of its MPI_Finalize, and of each further thread
  /// from its first call to its last one: what the seconds in calls are a share of.
  double run_s = 0;
  std::map<Place, Site> sites;
  StreamSites streams;

  /// Adds that of later ranks.
  void add(const TimeUse& other);
};

class BlockedCalls : public CallUser {
 public:
  /// `crowded`: by rank, whether its host has more ranks than cores. The arguments must outlive this object.
  BlockedCalls(const TimedCalls& calls, std::size_t ranks, const Cost& cost, const std::vector<bool>& crowded)
      : calls_(calls), cost_(cost), crowded_(crowded), ranks_(ranks) {}

  void begin(std::size_t rank, const Event& call) override;
  void message(std::size_t rank, const Event& call, const MessageEnd& end) override;
  void end(const EndedCall& ended, const Others& others) override;

  /// Of the ranks of this process, when all calls have been passed.
  [[nodiscard]] TimeUse result() const;

 private:
  /// Blocking sends of a place: their time if they may wait for receivers, and if they do not.
  struct Sends {
    BlockedTime waiting;
    BlockedTime buffered;
    std::uint64_t count = 0;
    std::uint64_t early = 0;  // returned before their receives were posted
    double shortest_s = std::numeric_limits<double>::infinity();

    /// That of the two which most of them show.
    [[nodiscard]] BlockedTime blocked(bool is_crowded) const;
  };
  struct Site {
    BlockedTime blocked;  // without `sends`
    Sends sends;
    const CallTraits* last = nullptr;
    std::uint64_t number = 0;  // of the last call
  };
  struct Rank {
    double begin_s = unknown_s;
    double end_s = 0;
    std::map<std::uint16_t, Site> sites;
    std::uint64_t calls = 0;
    RankStreams streams;
  };
  /// When the last partner had begun, when the messages could have been there, and for which rank's next call
  /// the last of them may have waited.
  struct Ready {
    double partner_s = 0;
    double there_s = 0;
    std::int32_t partner = record::no_peer;
  };

  [[nodiscard]] BlockedTime split(const EndedCall& ended, Ready ready, const Others& others) const;
  void add_sends(Sends& sends, const EndedCall& ended, const Others& others) const;
  [[nodiscard]] Ready ready(const EndedCall& ended, bool waits_for_receivers = true) const;
  [[nodiscard]] Ready ready_collective(const EndedCall& ended, const Others& others) const;

  const TimedCalls& calls_;
  const Cost& cost_;
  const std::vector<bool>& crowded_;
  std::vector<Rank> ranks_;
};

}  // namespace stretto::analysis
