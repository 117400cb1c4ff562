// SPDX-License-Identifier: BSD-3-Clause
// The state behind a Runtime: its components, and what is known of each target. path/execute.cpp has the
// operations themselves.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stretto/error.hpp>
#include <stretto/options.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "mpi/communicator.hpp"
#include "onesided/api/finalize_hook.hpp"
#include "onesided/api/implicit_operations.hpp"
#include "onesided/api/max_exchange.hpp"
#include "onesided/engine/contexts.hpp"
#include "onesided/engine/wait_loop.hpp"
#include "onesided/memory/node_sharing.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/choose_path.hpp"
#include "onesided/path/counter_table.hpp"
#include "onesided/path/pending_flags.hpp"
#include "onesided/path/unfenced.hpp"
#include "progress/thread/progress_thread.hpp"

namespace stretto::onesided {

struct AggregateState;
struct RegionState;
struct RuntimeState;

/// Whether this thread has stored into node-local memory since its last processor fence. It is thread-local,
/// because the fence of another thread does not hold back this thread's loads.
extern constinit thread_local bool stores_unfenced;

inline void fence_stores() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  stores_unfenced = false;
}
inline void ensure_stores_fenced() {
  if (stores_unfenced) fence_stores();
}

struct TeamState {
  TeamState(std::shared_ptr<RuntimeState> owner, MPI_Comm parent, std::vector<int> members);
  TeamState(const TeamState&) = delete;
  TeamState& operator=(const TeamState&) = delete;
  ~TeamState();

  std::shared_ptr<RuntimeState> state;
  mpi::Communicator communicator;
  std::vector<int> runtime_ranks;  // by rank in the team
  std::vector<int> nodes;          // by rank in the team
  std::vector<int> team_ranks;     // by rank in the runtime; -1: no member
};

/// A fence that was not waited for.
struct FenceStarted {
  std::shared_ptr<MessageOperation> query;  // nullptr: no message is outstanding
  bool flushes = false;                     // there are windows to flush
};

struct RuntimeState : std::enable_shared_from_this<RuntimeState> {
  RuntimeState(MPI_Comm parent, const Options& requested);
  RuntimeState(const RuntimeState&) = delete;
  RuntimeState& operator=(const RuntimeState&) = delete;
  ~RuntimeState() { interrupted.leave_all(); }

  mpi::Communicator communicator;
  Options options;
  Progress progress;
  WaitLimits wait_limits;
  /// With a timeout: MPI uses no memory of the program, so that a wait may end at any time.
  bool copies_all = false;
  /// The last wait has timed out, or was interrupted: what unwinding drops is not waited for once more.
  Atomic<bool> timed_out{false};
  std::vector<int> nodes;
  WindowLockFile window_lock;
  SharingRules sharing;
  PathRules rules;
  CounterTable counters;
  std::unique_ptr<Contexts> contexts;     // nullptr where no operation can take the message path
  std::chrono::nanoseconds long_rest{0};  // of the progress thread: a large operation ends it
  std::unique_ptr<progress::ProgressThread> progress_thread;
  std::unique_ptr<FinalizeHook> finalize_hook;
  bool finalized = false;

  std::shared_ptr<TeamState> world;
  std::shared_ptr<RegionState> notifications;  // one counter for each source
  std::vector<std::uint64_t> notified;         // by source, how many were waited for

  std::function<void(const std::string&)> on_dropped;

  /// The operations to each rank that no fence has covered.
  std::unique_ptr<UnfencedOperations[]> unfenced;
  [[nodiscard]] UnfencedOperations& unfenced_to(int target) const {
    return unfenced[static_cast<std::size_t>(target)];
  }

  Mutex lists_mutex;  // of the next two
  std::vector<RegionState*> regions;
  std::unordered_set<AggregateState*> open_aggregates;
  /// The implicit operations on the message path, by target.
  std::unique_ptr<ImplicitOperations[]> implicit;
  [[nodiscard]] ImplicitOperations& implicit_to(int target) const {
    return implicit[static_cast<std::size_t>(target)];
  }

  InterruptedExchanges interrupted;
  /// Collectives of teams that were not waited for.
  Atomic<std::size_t> pending_collectives{0};

  Atomic<std::uint32_t> next_region{0};
  std::uint32_t next_function = 0;  // the same on all ranks, because they register together

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

  /// Serves other ranks and moves outstanding operations. True when anything moved. `awaited` is the rank
  /// that the caller waits for, or -1.
  bool make_progress(int awaited = -1);
  /// The poll of a call that does not wait, under progress `poll` only. What it throws, the next call that
  /// waits throws: the operation of this one has started, and the caller must get its handle.
  void poll_if_enabled() noexcept {
    if (progress == Progress::poll && contexts != nullptr)
      contexts->guard([this] { contexts->progress(-1); });
  }

  /// Sends `flag` behind the data that was put into `target`'s part of the region, a rank of its team.
  void raise_after_flush(std::shared_ptr<RegionState> region, int target,
                         std::shared_ptr<MessageOperation> flag);
  /// Queries when all that this rank has stored at `target` by message is there, and the flags that are still
  /// to be sent. nullptr where it is.
  [[nodiscard]] std::shared_ptr<MessageOperation> start_query(int target);

  template <typename Done>
  void wait_until(Done&& done, const char* what, int target) {
    if (done()) return;
    try {
      for (WaitLoop loop(wait_limits, what, target); !done();) loop.end_round(make_progress(target));
    } catch (const TimeoutError&) {
      timed_out = true;
      throw;
    }
    if (timed_out.load(std::memory_order_relaxed)) timed_out = false;
  }
  /// Where it throws, the operation still uses the program's memory: somebody waits for it again.
  void wait_for(const MessageOperation& operation, const char* what) {
    const auto ended = [&] { return operation.done.load(std::memory_order_acquire) || operation.abandoned; };
    wait_until(ended, what, operation.target);
    if (!operation.done.load(std::memory_order_acquire)) [[unlikely]]
      refuse_abandoned();
  }

  /// Waits for an operation that nobody waits for again. Where it throws, the operation uses no memory of the
  /// program any more.
  void wait_once(MessageOperation& operation, const char* what);
  /// Ends the operation's use of the program's memory: with `copies_all` it is abandoned, else waited for,
  /// whatever is thrown in between. Ends the program where that never ends.
  void release(MessageOperation& operation) noexcept;
  /// The same for the implicit operations to a rank.
  void release_implicit(int target) noexcept;
  /// Ends all use of the program's memory before the runtime goes without the other ranks, under an
  /// exception. A handle that is still pending cannot be waited for any more.
  void leave_operations() noexcept;
  /// Waits until memory is free that is about to go, whatever is thrown.
  void await_memory(const std::function<bool()>& is_free, int target) noexcept;

  /// Keeps blocking operations in order: fences where the next one takes another path than the last.
  void order(int target, Path path, bool stores) {
    if (path != Path::direct || !stores) ensure_stores_fenced();  // a load may otherwise overtake the store
    if (may_overtake(target, path) && !handling_call) fence(target);
  }
  /// Whether an operation by `path` may overtake blocking stores by another path.
  [[nodiscard]] bool may_overtake(int target, Path path) const {
    const UnfencedOperations& before = unfenced_to(target);
    return before.rma_stores.any() || (path != Path::message && before.message_stores.any());
  }
  /// Counts a blocking store that has ended.
  void stored(int target, Path path);

  /// Sends the first packet, and waits for a free buffer where all are in use. Progress sends the rest.
  void start(const std::shared_ptr<MessageOperation>& operation);

  /// Inline, because the processor's own fence is enough where only loads and stores went before.
  void fence(int target) {
    if (unfenced_to(target).any()) fence_operations(target);
    fence_stores();
  }
  void fence_all();
  /// Sends what a fence sends, and returns at once. Windows still have to be flushed where it says so.
  [[nodiscard]] FenceStarted start_fence(int target);
  void fence_windows(int target);
  /// Where it throws, no implicit operation to the target uses the program's memory any more.
  void wait_implicit(int target);

  /// Lets every rank send requests to every other, also on one node, for active messages and regions over a
  /// program's own memory. Collective over the runtime, while no operation of any rank is outstanding and no
  /// other thread calls.
  void serve_all_ranks();
  /// Whether they may.
  bool serves_all_ranks = false;

  /// A step of a collective call that waits. What handlers throw must not end it, because the other ranks go
  /// on: the step is repeated, and the next call that waits throws.
  void complete_step(const std::function<void()>& step);
  /// Throws what complete_step() has kept: at the end of a call that the caller takes for a wait.
  void throw_kept() {
    if (contexts != nullptr) contexts->throw_kept();
  }
  /// A barrier that serves other ranks while it waits, as a complete step. One that has timed out continues
  /// in the next call.
  void barrier(MPI_Comm over);
  /// The largest value of all ranks. Serves other ranks while it waits.
  [[nodiscard]] std::uint64_t allreduce_max(MPI_Comm over, std::uint64_t value);

  /// Calls `check` on every rank of the team: where it throws on some, all throw (agreement.hpp). Returns the
  /// largest `value`.
  std::uint64_t agree(const TeamState& team, std::uint64_t value, const std::function<void()>& check);

  /// Makes the puts of other ranks visible to this rank's loads, and its stores to their gets.
  void synchronise_windows();

  /// Reports that a pending handle or aggregate was dropped.
  void report_dropped(const std::string& what);
  /// How many handles, aggregates and collectives were not waited for; an aggregate counts for each of its
  /// regions.
  [[nodiscard]] std::size_t pending();
  /// How many regions of the program are not freed.
  [[nodiscard]] std::size_t open_regions() const;
  /// MPI_Finalize has begun before Runtime::finalize: ends the program.
  void end_with_mpi();

 private:
  PendingFlags flags_;

  /// Sends pending flags, as many as there are buffers for. True when one was sent. What starts an operation
  /// does not call it, because a flush waits.
  bool send_flags() { return flags_.any() && flags_.send(*contexts); }
  /// Returns when the flags to `target` are sent that were raised before.
  void await_flags(int target);
  progress::PollResult poll_of_thread(Contexts& own);
  void start_contexts(const std::vector<int>& sources);
  [[nodiscard]] std::uint64_t exchange_max(MPI_Comm over, ExchangePurpose purpose, std::uint64_t value);
  void wait_implicit_once(int target);
  [[noreturn]] static void refuse_finalized();
  [[noreturn]] static void refuse_abandoned();
  [[noreturn]] void refuse_target(int target) const;
  void fence_operations(int target);
  void start_fence(int target, std::vector<std::shared_ptr<MessageOperation>>& fences);
};

/// Calls `body` in a destructor, and prints what it throws.
template <typename Body>
void in_destructor(const Body& body) noexcept {
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto: %s\n", error.what());
  } catch (...) {
  }
}

/// Ends all ranks with one line: MPI uses memory that is about to be freed.
void end_program(const RuntimeState& state, int target, const char* error, int status = 1) noexcept;

}  // namespace stretto::onesided
