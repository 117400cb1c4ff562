// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/runtime_state.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stretto/error.hpp>
#include <utility>

#include "mpi/abort.hpp"
#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "onesided/api/aggregate_state.hpp"
#include "onesided/api/agreed_options.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/api/resolve_options.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {

using mpi::check;

constinit thread_local bool stores_unfenced = false;

TeamState::TeamState(std::shared_ptr<RuntimeState> owner, MPI_Comm parent, std::vector<int> members)
    : state(std::move(owner)),
      communicator(parent),
      runtime_ranks(std::move(members)),
      team_ranks(state->nodes.size(), -1) {
  for (const int rank : runtime_ranks) {
    team_ranks[static_cast<std::size_t>(rank)] = static_cast<int>(nodes.size());
    nodes.push_back(state->nodes[static_cast<std::size_t>(rank)]);
  }
}

TeamState::~TeamState() { state->interrupted.leave(communicator.get()); }

namespace {

MPI_Comm checked(MPI_Comm parent) {
  check_communicator(parent);
  return parent;
}

/// The ranks that may send requests to a rank: those on other nodes, or all where the message path is forced.
std::vector<int> sources_of_requests(const std::vector<int>& nodes, int rank, const PathRules& rules) {
  std::vector<int> sources;
  for (int other = 0; other < static_cast<int>(nodes.size()); ++other) {
    const bool node_local = nodes[static_cast<std::size_t>(other)] == nodes[static_cast<std::size_t>(rank)];
    if (!node_local || rules.forced == Path::message) sources.push_back(other);
  }
  return sources;
}

WaitLimits wait_limits_of(const Options& options, Progress progress, int rank) {
#ifdef STRETTO_SIMGRID
  (void)options, (void)progress, (void)rank;
  return {};  // simulated time has nothing to do with a person's
#else
  std::string context = " (progress " + std::string(to_string(progress));
  context += progress == Progress::thread ? ")" : ": they must call the runtime)";
  return {.report_after_s = options.report_after_s,
          .timeout_s = options.timeout_s,
          .rank = rank,
          .context = std::move(context)};
#endif
}

PathRules agreed_path_rules(const RuntimeState& state) {
  PathRules rules;
  agree(state.communicator.get(),
        [&] { rules = resolve_path_rules(state.options, state.progress, state.sharing); });
  return rules;
}

}  // namespace

RuntimeState::RuntimeState(MPI_Comm parent, const Options& requested)
    : communicator(checked(parent)),
      options(agreed_options(requested, communicator)),
      progress(resolve_progress(options)),
      wait_limits(wait_limits_of(options, progress, communicator.rank())),
      copies_all(wait_limits.timeout_s > 0),
      nodes(find_nodes(communicator.get(), options.node_ranks)),
      window_lock(communicator.get()),
      sharing(detect_sharing(communicator.get(), nodes, window_lock)),
      rules(agreed_path_rules(*this)),
      counters(communicator.size()),
      unfenced(std::make_unique<UnfencedOperations[]>(static_cast<std::size_t>(communicator.size()))),
      implicit(std::make_unique<ImplicitOperations[]>(static_cast<std::size_t>(communicator.size()))),
      flags_(communicator.size()) {
  concurrent_callers = mpi::may_thread();
  const bool one_node =
      std::all_of(nodes.begin(), nodes.end(), [&](int node) { return node == nodes.front(); });
  serves_all_ranks = rules.forced == Path::message;
  if (one_node && rules.forced != Path::message) return;
  start_contexts(sources_of_requests(nodes, communicator.rank(), rules));
}

void RuntimeState::start_contexts(const std::vector<int>& sources) {
  const EngineOptions each{.segment_bytes = options.segment_bytes,
                           .slots = options.outstanding,
                           .use_rendezvous = progress == Progress::thread,
                           .copies_all = copies_all};
  contexts = std::make_unique<Contexts>(communicator, each, options.contexts, sources, counters);
  if (progress == Progress::thread) {
    const std::chrono::duration<double> interval(options.poll_interval_s);
    progress::ServicePolicy policy(std::chrono::duration_cast<std::chrono::nanoseconds>(interval));
    long_rest = policy.long_rest();
    progress_thread = std::make_unique<progress::ProgressThread>(
        [this, &own = *contexts, policy](progress::WakeUp woken) mutable {
          return policy.next(woken, poll_of_thread(own));
        });
  }
}

progress::PollResult RuntimeState::poll_of_thread(Contexts& own) {
  bool sent = false;
  const auto send = [&] { sent = send_flags(); };
  own.guard(send);
  const progress::PollResult found = own.try_progress();
  // Flags that found no buffer are sent when the poll has freed some.
  for (sent = flags_.any(); sent; (void)own.try_progress()) {
    sent = false;
    own.guard(send);
  }
  return found;
}

void RuntimeState::serve_all_ranks() {
  if (serves_all_ranks) return;
  for (int target = 0; target < communicator.size(); ++target) wait_implicit(target);
  fence_all();
  barrier(communicator.get());
  if (contexts != nullptr) {
    wait_until([&] { return contexts->is_idle(); }, "the end of what is outstanding", -1);
    barrier(communicator.get());  // from here on no rank sends a request
    progress_thread.reset();
    contexts.reset();
  }
  std::vector<int> everyone(nodes.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  start_contexts(everyone);
  for (const RegionState* region : regions) region->serve();
  serves_all_ranks = true;
  barrier(communicator.get());
}

void RuntimeState::refuse_finalized() { throw FinalizedError("the runtime was finalized"); }

void RuntimeState::refuse_target(int target) const {
  throw ArgumentError("target", "rank " + std::to_string(target) + " is none of the runtime's " +
                                    std::to_string(communicator.size()));
}

bool RuntimeState::make_progress(int awaited) {
  const bool sent = send_flags();
  if (contexts != nullptr) return contexts->progress(awaited) || sent;
#ifndef STRETTO_SIMGRID  // where time, and with it the other ranks, advances only in calls of MPI
  if (rules.forced != Path::rma) return false;
#endif
  // Some windows are served by their owner, in any call of MPI.
  int found = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator.get(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return false;
}

void RuntimeState::raise_after_flush(std::shared_ptr<RegionState> region, int target,
                                     std::shared_ptr<MessageOperation> flag) {
  flags_.add(std::move(region), target, std::move(flag));
  if (progress_thread != nullptr) progress_thread->wake();
}

void RuntimeState::await_flags(int target) {
  const std::uint64_t last = flags_.last_to(target);
  wait_until([&] { return flags_.is_sent(last); }, "a free buffer for a flag", target);
}

std::shared_ptr<MessageOperation> RuntimeState::start_query(int target) {
  if (auto query = flags_.query_behind(target)) return query;
  return contexts == nullptr ? nullptr : contexts->of(target).start_query(target);
}

void RuntimeState::stored(int target, Path path) {
  if (path == Path::direct) stores_unfenced = true;
  if (path == Path::rma) unfenced_to(target).rma_stores.count();
  if (path == Path::message) unfenced_to(target).message_stores.count();
}

void RuntimeState::start(const std::shared_ptr<MessageOperation>& operation) {
  Engine& engine = contexts->of(operation->target);
  try {
    if (!engine.try_start(operation)) {
      // The rank for the report shares the engine, so that its progress is also that of the operation.
      wait_until([&] { return engine.try_start(operation); }, "a free buffer for a request",
                 engine.blocking_rank());
    }
  } catch (...) {
    if (operation->begun) {  // it failed between two packets
      engine.abandon(*operation);
      release(*operation);
    }
    throw;
  }
  if (progress_thread != nullptr && operation->layout.size_bytes() > options.segment_bytes)
    progress_thread->shorten_rest(long_rest);
}

void RuntimeState::fence_windows(int target) {
  const std::lock_guard lock(lists_mutex);
  for (RegionState* region : regions) {
    const int rank = region->team_rank(target);
    if (rank >= 0) region->flush(rank);
  }
}

// Does not wait for what other threads start later: they may never stop.
void RuntimeState::start_fence(int target, std::vector<std::shared_ptr<MessageOperation>>& fences) {
  if (contexts == nullptr) return;
  Engine& engine = contexts->of(target);
  if (const std::shared_ptr<MessageOperation> last = engine.last_unsent(target)) {
    wait_until([&] { return engine.is_sent(*last); }, "the end of a transfer by message", target);
  }
  if (!engine.is_dirty(target)) return;
  fences.push_back(engine.completion_query(target));
  if (fences.back() != nullptr) return;
  fences.back() = std::make_shared<MessageOperation>(PacketKind::fence, target, Layout{});
  start(fences.back());
}

FenceStarted RuntimeState::start_fence(int target) {
  FenceStarted started;
  (void)send_flags();
  if (!unfenced_to(target).beyond_stores.any()) return started;
  send_aggregates(*this, target);
  started.query = start_query(target);
  const std::lock_guard lock(lists_mutex);
  started.flushes = std::any_of(regions.begin(), regions.end(), [&](const RegionState* region) {
    const int rank = region->team_rank(target);
    return rank >= 0 && region->must_flush(rank);
  });
  return started;
}

void RuntimeState::fence_operations(int target) {
  UnfencedOperations& own = unfenced_to(target);
  const UnfencedOperations::Counts counted = own.counted();
  if (own.beyond_stores.any()) {
    await_flags(target);
    send_aggregates(*this, target);
    std::vector<std::shared_ptr<MessageOperation>> fences;
    start_fence(target, fences);
    fence_windows(target);
    for (const auto& one : fences) wait_for(*one, "the answer to a fence");
  }
  own.cover(counted);
}

void RuntimeState::fence_all() {
  std::vector<UnfencedOperations::Counts> counted;
  std::vector<std::shared_ptr<MessageOperation>> fences;
  std::vector<int> behind;
  for (int target = 0; target < communicator.size(); ++target) {
    counted.push_back(unfenced_to(target).counted());
    if (unfenced_to(target).beyond_stores.any()) behind.push_back(target);
  }
  for (const int target : behind) {
    await_flags(target);  // after the counts: what is counted is covered
    send_aggregates(*this, target);
    start_fence(target, fences);
  }
  for (const int target : behind) fence_windows(target);
  for (const auto& one : fences) wait_for(*one, "the answer to a fence");
  fence_stores();
  for (const int target : behind) unfenced_to(target).cover(counted[static_cast<std::size_t>(target)]);
}

void RuntimeState::wait_implicit(int target) {
  try {
    wait_implicit_once(target);
  } catch (...) {
    release_implicit(target);
    throw;
  }
}

void RuntimeState::wait_implicit_once(int target) {
  {
    const std::lock_guard lock(lists_mutex);
    for (RegionState* region : regions) {
      const int rank = region->team_rank(target);
      if (rank >= 0) region->complete_locally(rank, region->last_ticket(rank));
    }
  }
  ImplicitOperations& own = implicit_to(target);
  const auto operations = own.all();
  for (const auto& operation : operations) wait_for(*operation, "an implicit operation");
  if (!operations.empty()) own.remove_done();
}

void RuntimeState::complete_step(const std::function<void()>& step) {
  std::exception_ptr thrown;
  const auto keep = [&] {
    if (thrown != nullptr) contexts->guard([&] { std::rethrow_exception(thrown); });
  };
  for (;;) {
    try {
      step();
      return keep();
    } catch (const TimeoutError&) {
      keep();
      throw;
    } catch (const mpi::MpiError&) {
      keep();
      throw;
    } catch (...) {
      if (contexts == nullptr) throw;  // no handler's
      thrown = std::current_exception();
    }
  }
}

std::uint64_t RuntimeState::exchange_max(MPI_Comm over, ExchangePurpose purpose, std::uint64_t value) {
  std::unique_ptr<MaxExchange> exchange = interrupted.take(over, purpose, value);
  try {
    complete_step(
        [&] { wait_until([&] { return exchange->advance(over); }, "all to come to a barrier", -1); });
  } catch (...) {
    interrupted.keep(over, std::move(exchange));
    throw;
  }
  return exchange->value;
}

std::uint64_t RuntimeState::allreduce_max(MPI_Comm over, std::uint64_t value) {
  return exchange_max(over, ExchangePurpose::agreement, value);
}

void RuntimeState::barrier(MPI_Comm over) {
  if (contexts != nullptr) contexts->synchronise_memory();
  (void)exchange_max(over, ExchangePurpose::barrier, 0);
  if (contexts != nullptr) contexts->synchronise_memory();
}

std::uint64_t RuntimeState::agree(const TeamState& team, std::uint64_t value,
                                  const std::function<void()>& check_call) {
  MPI_Comm over = team.communicator.get();
  return onesided::agree(
      over, [&](std::uint64_t mine) { return allreduce_max(over, mine); }, value, check_call,
      team.runtime_ranks);
}

void RuntimeState::synchronise_windows() {
  const std::lock_guard lock(lists_mutex);
  for (const RegionState* region : regions) region->memory->synchronise();
}

// Regions count their own. A count for the whole runtime would cost every small transfer one more addition.
std::size_t RuntimeState::pending() {
  const std::lock_guard lock(lists_mutex);
  return std::accumulate(regions.begin(), regions.end(), pending_collectives.load(),
                         [](std::size_t sum, const RegionState* one) { return sum + one->pending.load(); });
}

std::size_t RuntimeState::open_regions() const { return regions.size() - (notifications == nullptr ? 0 : 1); }

void RuntimeState::end_with_mpi() {
  std::fprintf(
      stderr,
      "stretto: rank %d: MPI_Finalize was called before the runtime was finalized, which has %zu regions and "
      "%zu pending handles; end it first\n",
      communicator.rank(), open_regions(), pending());
  mpi::abort_all(communicator.get(), 1);
}

void RuntimeState::report_dropped(const std::string& what) {
  const std::string text = "rank " + std::to_string(communicator.rank()) + ": " + what;
  if (on_dropped) return on_dropped(text);
  std::fprintf(stderr, "stretto: %s\n", text.c_str());
  mpi::abort_all(communicator.get(), 1);
}

}  // namespace stretto::onesided
