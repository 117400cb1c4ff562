// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/memory/region_state.hpp"

#include <algorithm>
#include <stretto/error.hpp>
#include <string>
#include <utility>

#include "mpi/check.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

/// MPI counts in int; the size keeps what follows aligned.
constexpr std::size_t chunk_bytes = std::size_t{1} << 30;

/// Whether some operations to memory that is not node-local take the rma path.
bool may_use_window(const RuntimeState& state) {
  if (state.rules.forced.has_value()) return state.rules.forced == Path::rma;
  return state.sharing.rma_works && state.rules.contiguous == Path::rma;
}

bool needs_window(const RuntimeState& state, const TeamState& team) {
  if (state.rules.forced.has_value()) return may_use_window(state);
  const auto elsewhere = [&](int node) { return node != team.nodes.front(); };
  return may_use_window(state) && std::any_of(team.nodes.begin(), team.nodes.end(), elsewhere);
}

/// Not a maximum: a thread that stores an older ticket costs the next operation a flush, but a locked
/// instruction would cost every operation more.
void set(Atomic<std::uint64_t>& complete, std::uint64_t ticket) {
  complete.store(ticket, std::memory_order_release);
}

}  // namespace

RegionState::RegionState(std::shared_ptr<TeamState> members, std::size_t size_bytes)
    : team(std::move(members)), tickets_(std::make_unique<Tickets[]>(team->runtime_ranks.size())) {
  begin([&] { RegionMemory::check_size(size_bytes); });
  memory.emplace(team->communicator.get(), team->nodes, size_bytes, runtime().sharing.sharing,
                 needs_window(runtime(), *team), runtime().window_lock);
  end_of_creation();
}

RegionState::RegionState(std::shared_ptr<TeamState> members, std::span<std::byte> own)
    : team(std::move(members)), tickets_(std::make_unique<Tickets[]>(team->runtime_ranks.size())) {
  begin([] {});
  memory.emplace(team->communicator.get(), own, runtime().sharing.sharing, may_use_window(runtime()),
                 runtime().window_lock);
  end_of_creation();
}

void RegionState::begin(const std::function<void()>& check_call) {
  RuntimeState& own = runtime();
  own.check_alive();
  // A barrier while requests are still served, because what follows blocks inside MPI.
  id = static_cast<std::uint32_t>(own.agree(*team, own.next_region.load(), check_call));
  own.next_region = id + 1;
}

void RegionState::end_of_creation() {
  RuntimeState& own = runtime();
  serve();
  {
    const std::lock_guard lock(own.lists_mutex);
    own.regions.push_back(this);
  }
  try {
    own.barrier(team->communicator.get());
  } catch (...) {
    forget();  // without a constructor that returns, there is no destructor
    throw;
  }
}

void RegionState::forget() noexcept {
  stop_serving();
  const std::lock_guard lock(runtime().lists_mutex);
  std::erase(runtime().regions, this);
}

// Memory of the runtime is never freed without the other ranks, and they may use it.
void RegionState::stop_serving() noexcept {
  RuntimeState& own = runtime();
  if (freed || !memory->is_of_program() || own.contexts == nullptr) return;
  own.contexts->remove_region(id);
  if (own.copies_all) return;
  own.await_memory([&] { return !own.contexts->is_serving(); }, -1);
}

void RegionState::serve() const {
  Contexts* const contexts = runtime().contexts.get();
  if (contexts == nullptr) return;
  const int rank = team->communicator.rank();
  contexts->add_region(
      id, {.memory = {memory->mine(), memory->size_bytes(rank)}, .lock = &memory->lock_of(rank)});
}

RegionState::~RegionState() { forget(); }

void RegionState::refuse_freed() { throw FinalizedError("the region was freed"); }

void RegionState::refuse_range(int target, std::size_t end) const {
  const std::size_t ranks = team->runtime_ranks.size();
  if (target < 0 || target >= static_cast<int>(ranks)) {
    throw ArgumentError(
        "target", "rank " + std::to_string(target) + " is none of the region's " + std::to_string(ranks));
  }
  throw ArgumentError("place", "reaches to byte " + std::to_string(end) + " of the " +
                                   std::to_string(memory->size_bytes(target)) + " that rank " +
                                   std::to_string(target) + " has");
}

void RegionState::release() {
  RuntimeState& own = runtime();
  own.complete_step([&] {
    for (const int rank : team->runtime_ranks)
      own.wait_implicit(rank);  // a get that comes later would find nothing
    own.fence_all();
  });
  if (own.contexts != nullptr) {
    own.complete_step([&] {
      own.wait_until([&] { return !own.contexts->awaits_abandoned(); }, "a reply that nobody needs", -1);
    });
    own.barrier(team->communicator.get());
    own.complete_step(
        [&] { own.wait_until([&] { return !own.contexts->is_replying(); }, "the end of a reply", -1); });
  }
  own.barrier(team->communicator.get());
  freed = true;
  if (own.contexts != nullptr) own.contexts->remove_region(id);
  {
    const std::lock_guard lock(own.lists_mutex);
    std::erase(own.regions, this);
  }
  memory->release();
}

std::uint64_t RegionState::start(OperationKind kind, int target, const Piece& piece) {
  const MPI_Win window = memory->window();
  for (std::size_t done = 0; done < piece.size_bytes; done += chunk_bytes) {
    const auto size = static_cast<int>(std::min(chunk_bytes, piece.size_bytes - done));
    std::byte* const local = piece.local + done;
    const MPI_Aint place = memory->displacement(target, piece.offset + done);
    if (kind == OperationKind::get) {
      check(MPI_Get(local, size, MPI_BYTE, target, place, size, MPI_BYTE, window), "MPI_Get");
    } else {
      check(MPI_Put(local, size, MPI_BYTE, target, place, size, MPI_BYTE, window), "MPI_Put");
    }
    runtime().counters.message(runtime_rank(target), Path::rma);
  }
  return fetch_and_add(tickets(target).issued, std::uint64_t{1}) + 1;
}

void RegionState::complete_locally(int target, std::uint64_t ticket) {
  if (is_locally_complete(target, ticket)) return;
  const std::uint64_t issued = last_ticket(target);
  check(MPI_Win_flush_local(target, memory->window()), "MPI_Win_flush_local");
  set(tickets(target).complete_here, issued);
}

void RegionState::end_transfers(int target) noexcept {
  if (is_locally_complete(target, last_ticket(target))) return;
  try {
    check(MPI_Win_flush_local(target, memory->window()), "MPI_Win_flush_local");
    set(tickets(target).complete_here, last_ticket(target));
  } catch (const std::exception& error) {
    end_program(runtime(), runtime_rank(target), error.what());
  }
}

void RegionState::flush(int target) {
  const std::uint64_t issued = last_ticket(target);
  if (tickets(target).complete_there.load(std::memory_order_acquire) >= issued) return;
  check(MPI_Win_flush(target, memory->window()), "MPI_Win_flush");
  set(tickets(target).complete_here, issued);
  set(tickets(target).complete_there, issued);
}

}  // namespace stretto::onesided
