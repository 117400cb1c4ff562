// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stretto/checked_size.hpp>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <string>

#include "mpi/abort.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto {

namespace onesided {
namespace {

void check_memory(const Team& team, std::span<std::byte> memory) {
  agree(team, [&] {
    if (memory.data() == nullptr && !memory.empty()) throw ArgumentError("memory", "is NULL");
    stretto::detail::check_object_size("size_bytes", memory.size());
    if (reinterpret_cast<std::uintptr_t>(memory.data()) % sizeof(std::uint64_t) != 0) {
      throw ArgumentError("memory", "is not aligned to 8 bytes");
    }
  });
}

/// A region over a program's memory is reached by messages, unless all ranks are one process.
bool must_serve_all_ranks(const RuntimeState& state) {
  return !state.serves_all_ranks && state.sharing.sharing != NodeSharing::one_process;
}

}  // namespace
}  // namespace onesided

Region::Region(const Runtime& runtime, std::size_t size_bytes) : Region(runtime.world(), size_bytes) {}

Region::Region(const Team& team, std::size_t size_bytes)
    : state_(std::make_shared<onesided::RegionState>(onesided::Access::state(team), size_bytes)) {}

Region::Region(const Runtime& runtime, std::span<std::byte> memory) {
  onesided::RuntimeState& state = *onesided::Access::state(runtime);
  const Team world = runtime.world();
  onesided::check_memory(world, memory);
  if (onesided::must_serve_all_ranks(state)) state.serve_all_ranks();
  state_ = std::make_shared<onesided::RegionState>(onesided::Access::state(world), memory);
}

Region::Region(const Team& team, std::span<std::byte> memory) {
  onesided::check_memory(team, memory);
  if (onesided::must_serve_all_ranks(*onesided::Access::state(team)->state)) {
    throw ArgumentError("team", "the first region over a program's memory must be over the runtime");
  }
  state_ = std::make_shared<onesided::RegionState>(onesided::Access::state(team), memory);
}

Region::~Region() {
  if (state_->freed || state_->runtime().finalized) return;
  if (std::uncaught_exceptions() > 0) {
    state_->stop_serving();
    if (state_->pending.load() > 0) state_->left_behind = state_;
    return;
  }
  try {
    free();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto: %s\n", error.what());
    mpi::abort_all(state_->runtime().communicator.get(), 1);
  }
}

void Region::free() {
  state_->check_alive();
  const std::size_t pending = state_->pending.load();
  if (state_->runtime().allreduce_max(state_->team->communicator.get(), pending) > 0) {
    throw RegionInUseError("the region is in use: " + std::to_string(pending) +
                           " handles of this rank are pending, or some of another rank");
  }
  state_->release();
}

std::span<std::byte> Region::local() const {
  state_->check_alive();
  return {state_->memory->mine(), state_->memory->size_bytes(rank())};
}

int Region::rank() const { return state_->team->communicator.rank(); }
int Region::size() const { return state_->team->communicator.size(); }

std::size_t Region::size_bytes(int target) const {
  state_->check_range(target, 0);
  return state_->memory->size_bytes(target);
}

std::byte* Region::node_local_pointer(int target) const {
  state_->check_range(target, 0);
  return state_->memory->node_local(target);
}

Team Region::team() const { return onesided::Access::team(state_->team); }

}  // namespace stretto
