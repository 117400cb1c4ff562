// SPDX-License-Identifier: BSD-3-Clause
#include "rma/api/runtime_state.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stretto/error.hpp>
#include <utility>

#include "mpi/abort.hpp"
#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "rma/api/aggregate_state.hpp"
#include "rma/api/profile_options.hpp"
#include "rma/api/resolve_options.hpp"
#include "rma/memory/region_state.hpp"

namespace stretto::rma {

using mpi::check;

constinit thread_local bool stores_unfenced = false;

TeamState::TeamState(std::shared_ptr<State> owner, MPI_Comm parent, std::vector<int> members)
    : state(std::move(owner)),
      communicator(parent),
      ranks(std::move(members)),
      places(state->nodes.size(), -1) {
  for (const int rank : ranks) {
    places[static_cast<std::size_t>(rank)] = static_cast<int>(nodes.size());
    nodes.push_back(state->nodes[static_cast<std::size_t>(rank)]);
  }
}

namespace {

/// Who may ask a rank by message: those on other nodes, or everybody where that is forced.
std::vector<int> sources_of_requests(const std::vector<int>& nodes, int rank, const PathRules& rules) {
  std::vector<int> sources;
  for (int other = 0; other < static_cast<int>(nodes.size()); ++other) {
    const bool neighbours = nodes[static_cast<std::size_t>(other)] == nodes[static_cast<std::size_t>(rank)];
    if (!neighbours || rules.forced == Path::message) sources.push_back(other);
  }
  return sources;
}

}  // namespace

State::State(MPI_Comm parent, const Options& wanted)
    : communicator(parent),
      options(settle_options(tuned(wanted, communicator))),
      progress(settle_progress(options)),
      nodes(find_nodes(communicator.get(), options.node_ranks)),
      sharing(find_sharing(communicator.get(), nodes)),
      rules(settle_rules(options, progress, sharing)),
      counters(communicator.size()),
      unfenced(std::make_unique<UnfencedOperations[]>(static_cast<std::size_t>(communicator.size()))),
      implicit(static_cast<std::size_t>(communicator.size())) {
  threads_at_once = mpi::may_thread();
  const bool one_node =
      std::all_of(nodes.begin(), nodes.end(), [&](int node) { return node == nodes.front(); });
  if (one_node && rules.forced != Path::message) return;
  engine = std::make_unique<Engine>(communicator.get(), options.segment_bytes, options.outstanding,
                                    sources_of_requests(nodes, communicator.rank(), rules),
                                    progress == Progress::thread, counters);
  if (progress == Progress::thread) helper = std::make_unique<Helper>(*engine, options.pace_s);
}

void State::refuse_finalized() { throw FinalizedError("the runtime was finalized"); }

void State::refuse_target(int target) const {
  throw ArgumentError("target", "rank " + std::to_string(target) + " is none of the runtime's " +
                                    std::to_string(communicator.size()));
}

bool State::make_progress() {
  if (engine != nullptr) return engine->progress();
#ifndef STRETTO_SIMGRID  // where time, and with it the other ranks, goes on only in calls of MPI
  if (rules.forced != Path::rma) return false;
#endif
  // Some windows are served by their owner, in whatever call of MPI.
  int found = 0;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator.get(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return false;
}

void State::stored(int target, Path path) {
  if (path == Path::direct) stores_unfenced = true;
  if (path == Path::rma) unfenced_to(target).rma_stores.count();
  if (path == Path::message) unfenced_to(target).message_stores.count();
}

void State::start(const std::shared_ptr<Operation>& operation) {
  if (!engine->try_start(operation)) {
    wait_until([&] { return engine->try_start(operation); }, "a free buffer for a request", engine->holder());
  }
  if (helper != nullptr && operation->layout.size_bytes() > options.segment_bytes) helper->hurry();
}

void State::fence_windows(int target) {
  const std::lock_guard lock(lists_mutex);
  for (RegionState* region : regions) {
    const int rank = region->team_rank(target);
    if (rank >= 0) region->flush(rank);
  }
}

// What other threads start meanwhile is not waited for: there may be no end of it.
void State::start_fence(int target, std::vector<std::shared_ptr<Operation>>& fences) {
  if (engine == nullptr) return;
  if (const std::shared_ptr<Operation> last = engine->last_unsent(target)) {
    wait_until([&] { return engine->is_sent(*last); }, "the end of a transfer by message", target);
  }
  if (!engine->is_dirty(target)) return;
  fences.push_back(engine->asked(target));
  if (fences.back() != nullptr) return;
  fences.back() = std::make_shared<Operation>(PacketKind::fence, target, Layout{});
  start(fences.back());
}

void State::fence_operations(int target) {
  UnfencedOperations& own = unfenced_to(target);
  const UnfencedOperations::Counts counted = own.counted();
  if (own.beyond_stores.any()) {
    send_out_aggregates(*this, target);
    std::vector<std::shared_ptr<Operation>> fences;
    start_fence(target, fences);
    fence_windows(target);
    for (const auto& one : fences) await(*one, "the answer to a fence");
  }
  own.cover(counted);
}

void State::fence_all() {
  std::vector<UnfencedOperations::Counts> counted;
  std::vector<std::shared_ptr<Operation>> fences;
  std::vector<int> behind;
  for (int target = 0; target < communicator.size(); ++target) {
    counted.push_back(unfenced_to(target).counted());
    if (unfenced_to(target).beyond_stores.any()) behind.push_back(target);
  }
  for (const int target : behind) {
    send_out_aggregates(*this, target);
    start_fence(target, fences);
  }
  for (const int target : behind) fence_windows(target);
  for (const auto& one : fences) await(*one, "the answer to a fence");
  fence_stores();
  for (const int target : behind) unfenced_to(target).cover(counted[static_cast<std::size_t>(target)]);
}

void State::wait_implicit(int target) {
  std::vector<std::shared_ptr<Operation>> operations;
  {
    const std::lock_guard lock(lists_mutex);
    operations =
        implicit[static_cast<std::size_t>(target)];  // they stay: another thread may wait for them, too
    for (RegionState* region : regions) {
      const int rank = region->team_rank(target);
      if (rank >= 0) region->complete_locally(rank, region->last_ticket(rank));
    }
  }
  for (const auto& operation : operations) await(*operation, "an implicit operation");
  if (operations.empty()) return;
  const std::lock_guard lock(lists_mutex);
  std::erase_if(implicit[static_cast<std::size_t>(target)], [](const auto& one) { return one->done.load(); });
}

// By dissemination, in messages of its own: requests are served between them, which a collective of MPI would
// not do, and SimGrid's MPI_Ibarrier lets ranks leave before all have come.
std::uint64_t State::largest(MPI_Comm over, std::uint64_t mine) {
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(over, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(over, &size), "MPI_Comm_size");
  for (int distance = 1; distance < size; distance *= 2) {
    std::uint64_t theirs = 0;
    MPI_Request requests[2];
    check(MPI_Irecv(&theirs, 1, MPI_UINT64_T, (rank - distance + size) % size, distance, over, &requests[0]),
          "MPI_Irecv");
    check(MPI_Isend(&mine, 1, MPI_UINT64_T, (rank + distance) % size, distance, over, &requests[1]),
          "MPI_Isend");
    const auto come = [&] {
      for (MPI_Request& request : requests) {
        int done = 0;
        if (request == MPI_REQUEST_NULL) continue;  // SimGrid calls it an error to ask again
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done == 0) return false;
      }
      return true;
    };
    wait_until(come, "all to come to a barrier", -1);
    mine = std::max(mine, theirs);
  }
  return mine;
}

void State::barrier(MPI_Comm over) {
  if (engine != nullptr) engine->order_helper();
  (void)largest(over, 0);
  if (engine != nullptr) engine->order_helper();
}

void State::synchronise_windows() {
  const std::lock_guard lock(lists_mutex);
  for (const RegionState* region : regions) region->memory->synchronise();
}

// Regions count, and nobody counts once more for all of them: that would be felt in a small transfer.
std::size_t State::pending() {
  const std::lock_guard lock(lists_mutex);
  return std::accumulate(regions.begin(), regions.end(), std::size_t{0},
                         [](std::size_t sum, const RegionState* one) { return sum + one->pending.load(); });
}

std::size_t State::open_regions() const { return regions.size() - (notifications == nullptr ? 0 : 1); }

void State::end_with_mpi() {
  std::fprintf(
      stderr,
      "stretto: rank %d: MPI_Finalize was called before the runtime was finalized, which has %zu regions and "
      "%zu pending handles; end it first\n",
      communicator.rank(), open_regions(), pending());
  mpi::abort_all(communicator.get(), 1);
}

void State::report_dropped(const std::string& what) {
  const std::string text = "rank " + std::to_string(communicator.rank()) + ": " + what;
  if (on_dropped) return on_dropped(text);
  std::fprintf(stderr, "stretto: %s\n", text.c_str());
  mpi::abort_all(communicator.get(), 1);
}

}  // namespace stretto::rma
