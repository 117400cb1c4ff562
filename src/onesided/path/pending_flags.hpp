// SPDX-License-Identifier: BSD-3-Clause
// The flags of puts that MPI_Put carries out. A flag is sent by message when a flush has completed the data,
// and a completion query of the same target behind it. Any number may be pending: each is sent in a step of
// its own, which waits for no buffer.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "onesided/engine/contexts.hpp"
#include "onesided/memory/threading.hpp"

namespace stretto::onesided {

struct RegionState;

class PendingFlags {
 public:
  /// `targets`: the ranks of the runtime.
  explicit PendingFlags(int targets) : last_(static_cast<std::size_t>(targets), 0) {}

  /// The data was put into `target`'s part of the region, a rank of its team. `flag` is sent behind it.
  void add(std::shared_ptr<RegionState> region, int target, std::shared_ptr<MessageOperation> flag);
  /// Whether some are not sent.
  [[nodiscard]] bool any() const { return sent_.load() != added_.load(); }

  /// Flushes and sends them in order, as many as there are buffers for. True when one was sent. It does
  /// nothing while another thread does it. Waits for MPI's flush only.
  bool send(Contexts& contexts);

  /// The number of the last flag to a rank of the runtime. is_sent() of it means that all flags to this rank
  /// are sent that were added before the call.
  [[nodiscard]] std::uint64_t last_to(int target);
  [[nodiscard]] bool is_sent(std::uint64_t number) const { return sent_.load() >= number; }

  /// A completion query that follows the flags to `target`; nullptr where all of them are sent.
  [[nodiscard]] std::shared_ptr<MessageOperation> query_behind(int target);

 private:
  struct Entry {
    std::shared_ptr<RegionState> region;  // nullptr: a query, which needs no flush
    int target = 0;                       // in the region's team
    std::shared_ptr<MessageOperation> operation;
  };

  void append(Entry&& entry);
  [[nodiscard]] bool first(Entry& entry);
  [[nodiscard]] static bool try_send(const Entry& entry, Contexts& contexts);

  Mutex sending_;  // held by the thread that sends
  Mutex list_;     // of the next two
  std::deque<Entry> entries_;
  std::vector<std::uint64_t> last_;  // by target
  Atomic<std::uint64_t> added_{0};   // entries ever
  Atomic<std::uint64_t> sent_{0};    // entries that the engine has: counted last
};

}  // namespace stretto::onesided
