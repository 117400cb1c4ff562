// SPDX-License-Identifier: BSD-3-Clause
// What a runtime is, behind its handle: the parts, and what is known of each target. Operations themselves
// are in execute.cpp.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <stretto/options.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "mpi/communicator.hpp"
#include "rma/api/finalize_hook.hpp"
#include "rma/engine/engine.hpp"
#include "rma/memory/node_sharing.hpp"
#include "rma/path/choose_path.hpp"
#include "rma/path/counter_table.hpp"
#include "rma/path/unfenced.hpp"
#include "rma/progress/progress_thread.hpp"
#include "rma/progress/wait_loop.hpp"

namespace stretto::rma {

struct AggregateState;
struct RegionState;
struct State;

/// Whether this thread has stored into a neighbour's memory since it last made sure that no load goes ahead
/// of that. A thread's own, for the processor's fence is: that of another thread does not hold this one's
/// loads back.
extern constinit thread_local bool stores_unfenced;

inline void fence_stores() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  stores_unfenced = false;
}
inline void settle_stores() {
  if (stores_unfenced) fence_stores();
}

struct TeamState {
  TeamState(std::shared_ptr<State> owner, MPI_Comm parent, std::vector<int> members);

  std::shared_ptr<State> state;
  mpi::Communicator communicator;
  std::vector<int> ranks;   // in the runtime, by rank in the team
  std::vector<int> nodes;   // by rank in the team
  std::vector<int> places;  // in the team, by rank in the runtime; -1: no member
};

struct State : std::enable_shared_from_this<State> {
  State(MPI_Comm parent, const Options& wanted);

  mpi::Communicator communicator;
  Options options;
  Progress progress;
  std::vector<int> nodes;
  SharingRules sharing;
  PathRules rules;
  CounterTable counters;
  std::unique_ptr<Engine> engine;  // nullptr where nothing can come or go by message
  std::unique_ptr<Helper> helper;
  std::unique_ptr<EndOfMpi> end_of_mpi;
  bool finalized = false;

  std::shared_ptr<TeamState> world;
  std::shared_ptr<RegionState> notifications;  // one counter a source
  std::vector<std::uint64_t> notified;         // those that were waited for

  std::function<void(const std::string&)> on_dropped;

  /// What was done to each rank that no fence has covered.
  std::unique_ptr<UnfencedOperations[]> unfenced;
  [[nodiscard]] UnfencedOperations& unfenced_to(int target) const {
    return unfenced[static_cast<std::size_t>(target)];
  }

  std::mutex lists_mutex;  // of the three below
  std::vector<RegionState*> regions;
  std::vector<std::vector<std::shared_ptr<Operation>>> implicit;  // on the message path, by target
  std::unordered_set<AggregateState*> open_aggregates;

  std::atomic<std::uint32_t> next_region{0};

  /// Throws FinalizedError.
  void check_alive() const {
    if (finalized) [[unlikely]]
      refuse_finalized();
  }
  /// Throws FinalizedError, or ArgumentError `target`.
  void check_target(int target) const {
    check_alive();
    if (target < 0 || target >= communicator.size()) [[unlikely]]
      refuse_target(target);
  }

  /// Serves others and moves what is under way. True when anything moved.
  bool make_progress();
  /// Progress in passing, of calls that need not wait: under poll only.
  void poll_in_passing() {
    if (progress == Progress::poll && engine != nullptr) make_progress();
  }

  template <typename Done>
  void wait_until(Done&& done, const char* what, int target) {
    if (done()) return;
    for (Patience patience(*this, what, target); !done();) patience.wait_a_little();
  }
  void await(const Operation& operation, const char* what) {
    wait_until([&] { return operation.done.load(std::memory_order_acquire); }, what, operation.target);
  }

  /// Keeps blocking operations in order: fences where the next one takes another way than the last.
  void order(int target, Path path, bool stores) {
    if (path != Path::direct || !stores) settle_stores();  // a load may otherwise overtake the store
    if (may_overtake(target, path)) fence(target);
  }
  /// Whether an operation by `path` may go ahead of blocking stores by another one.
  [[nodiscard]] bool may_overtake(int target, Path path) const {
    const UnfencedOperations& before = unfenced_to(target);
    return before.rma_stores.any() || (path != Path::message && before.message_stores.any());
  }
  /// A blocking store has ended.
  void stored(int target, Path path);

  /// Returns when the first packet has left: where all buffers are in use, older operations go on until one
  /// is free. The rest follows from progress.
  void start(const std::shared_ptr<Operation>& operation);

  /// In line, for where nothing but loads and stores went before the processor's own fence will do.
  void fence(int target) {
    if (unfenced_to(target).any()) fence_operations(target);
    fence_stores();
  }
  void fence_all();
  void wait_implicit(int target);

  /// Everybody has come; serves others meanwhile.
  void barrier(MPI_Comm over);
  /// The largest of all values; serves others meanwhile.
  [[nodiscard]] std::uint64_t largest(MPI_Comm over, std::uint64_t mine);

  /// What others have put into regions can be loaded by this rank, and the other way round.
  void synchronise_windows();

  /// A pending handle or aggregate was dropped.
  void report_dropped(const std::string& what);
  /// Handles and aggregates that are not waited for; an aggregate counts on each of its regions.
  [[nodiscard]] std::size_t pending();
  /// Regions of the program that are not freed.
  [[nodiscard]] std::size_t open_regions() const;
  /// MPI is about to end, and the runtime has not.
  void end_with_mpi();

 private:
  [[noreturn]] static void refuse_finalized();
  [[noreturn]] void refuse_target(int target) const;
  void fence_operations(int target);
  void fence_windows(int target);
  void start_fence(int target, std::vector<std::shared_ptr<Operation>>& fences);
};

}  // namespace stretto::rma
