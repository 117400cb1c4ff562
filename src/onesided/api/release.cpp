// SPDX-License-Identifier: BSD-3-Clause
// Ends the use of the program's memory by operations that nobody will wait for again: where a wait throws, or
// where unwinding drops a handle (docs/decisions/memory-after-errors.md).
#include <cstdio>
#include <exception>
#include <stretto/error.hpp>
#include <string>

#include "mpi/abort.hpp"
#include "onesided/api/runtime_state.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {
namespace {

/// A handler that throws, throws once a call; what throws more often than this will not end.
constexpr int max_failures = 1000;
constexpr int status_of_interrupt = 130;

}  // namespace

void end_program(const RuntimeState& state, int target, const char* error, int status) noexcept {
  std::fprintf(
      stderr,
      "stretto: rank %d: an operation to rank %d does not end, and MPI would go on using memory that "
      "is about to be freed: %s\n",
      state.communicator.rank(), target, error);
  mpi::abort_all(state.communicator.get(), status);
}

void RuntimeState::await_memory(const std::function<bool()>& is_free, int target) noexcept {
  for (int failures = 1;; ++failures) {
    try {
      return wait_until(is_free, "the end of an operation before its memory is freed", target);
    } catch (const InterruptedError& error) {  // for the second time: the first one has led here
      end_program(*this, target, error.what(), status_of_interrupt);
    } catch (const std::exception& error) {
      if (failures == max_failures) end_program(*this, target, error.what());
    } catch (...) {
      if (failures == max_failures) end_program(*this, target, "an exception of unknown type");
    }
  }
}

void RuntimeState::refuse_abandoned() {
  throw FinalizedError("the operation was abandoned, because its runtime ended with an exception");
}

void RuntimeState::leave_operations() noexcept {
  {
    const std::lock_guard lock(lists_mutex);
    for (RegionState* region : regions) {
      for (int target = 0; target < static_cast<int>(region->team->runtime_ranks.size()); ++target) {
        region->end_transfers(target);
      }
    }
  }
  if (contexts == nullptr) return;
  contexts->abandon_all();
  if (!copies_all) await_memory([&] { return !contexts->uses_program_memory(); }, -1);
}

void RuntimeState::release(MessageOperation& operation) noexcept {
  if (contexts == nullptr) return;  // leave_operations() has abandoned it
  Engine& engine = contexts->of(operation.target);
  if (copies_all || timed_out) engine.abandon(operation);
  const auto is_free = [&] {
    return operation.done.load(std::memory_order_acquire) ||
           (operation.abandoned && !engine.uses_program_memory(&operation));
  };
  if (timed_out && !is_free()) {
    std::fprintf(
        stderr,
        "stretto: rank %d: interrupted; MPI still moves data of an operation to rank %d in place: one "
        "more interrupt ends all ranks\n",
        communicator.rank(), operation.target);
  }
  await_memory(is_free, operation.target);
}

void RuntimeState::wait_once(MessageOperation& operation, const char* what) {
  try {
    wait_for(operation, what);
  } catch (...) {
    release(operation);
    throw;
  }
}

void RuntimeState::release_implicit(int target) noexcept {
  {
    const std::lock_guard lock(lists_mutex);
    for (RegionState* region : regions) {
      const int rank = region->team_rank(target);
      if (rank >= 0) region->end_transfers(rank);
    }
  }
  ImplicitOperations& own = implicit_to(target);
  for (const auto& operation : own.all()) release(*operation);
  own.remove_done();
}

}  // namespace stretto::onesided
