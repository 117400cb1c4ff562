// SPDX-License-Identifier: BSD-3-Clause
// The collective operations that ranks of this process have not all passed. Ranks number those of a
// communicator alike; of ranks of another process, only when they began is known.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/message_table.hpp"
#include "analysis/ring_queue.hpp"
#include "analysis/team.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

/// When ranks began a collective operation.
struct Begins {
  double last_s = unknown_s;
  double root_s = unknown_s;
  std::uint64_t ranks = 0;

  void add(const Begins& others);
};

/// A collective operation.
struct Collective {
  Begins begun;
  std::uint64_t passed = 0;  ///< ranks of this process that have passed it
  bool is_done = false;
  std::vector<std::uint64_t> waiting = {};  ///< the numbers of calls that wait for another rank to begin it
};

/// Ranks that have begun an operation.
struct Begun {
  std::uint64_t communicator = 0;
  std::uint64_t number = 0;
  Begins ranks;
  bool wakes = false;  ///< it may be what a call waits for
};

class Collectives {
 public:
  explicit Collectives(const Division& division) : division_(division) {}

  /// An operation, until another one is asked for.
  [[nodiscard]] Collective& find(std::uint64_t communicator, std::uint64_t number);
  /// A rank of this process begins. `context`: its communicator; null: not known. Adds the calls that waited
  /// for it to `woken`.
  void begin(const replay::TracedContext* context, const Begun& one, std::vector<std::uint64_t>& woken);
  /// Ranks of this process or of another one have begun. `woken` as above.
  void take(const Begun& one, std::vector<std::uint64_t>& woken);
  /// A rank of this process has passed.
  void leave(std::uint64_t communicator, std::uint64_t number);
  /// A rank of this process has freed the communicator. It is forgotten when all members have, unless a
  /// member is of another process: what that one says may come later.
  void drop(std::uint64_t communicator);
  /// The communicators that are known.
  [[nodiscard]] std::size_t size() const { return communicators_.size(); }
  /// What the processes of other members have not been told, by process; the user empties it.
  std::map<std::size_t, std::vector<Begun>> outgoing;

 private:
  struct Communicator {
    std::uint64_t first = 0;
    RingQueue<Collective> open;
    std::uint64_t members = 0;  // of this process; 0: not known, and all may still come
    std::uint64_t dropped = 0;  // members that have freed it
    bool is_known = false;
    std::vector<std::size_t> others;  // processes with members
  };

  void know(Communicator& of, const replay::TracedContext* context) const;
  Collective& at(Communicator& of, std::uint64_t number);
  /// Forgets it, if all members have freed it and passed its operations.
  void forget(std::unordered_map<std::uint64_t, Communicator>::iterator found);

  const Division& division_;
  Collective gone_;
  std::unordered_map<std::uint64_t, Communicator> communicators_;  // by key
};

}  // namespace stretto::analysis
