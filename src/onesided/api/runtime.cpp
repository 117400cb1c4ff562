// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <stretto/aggregate.hpp>
#include <stretto/error.hpp>
#include <stretto/runtime.hpp>
#include <utility>

#include "mpi/abort.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/aggregate_state.hpp"
#include "onesided/api/handle_access.hpp"
#include "onesided/api/notify.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto {

namespace {

void check_own(const Handle& handle, const onesided::RuntimeState& state) {
  if (handle.pending() && &onesided::HandleAccess::state(handle) != &state) {
    throw HandleError("the handle belongs to another runtime");
  }
}

}  // namespace

Runtime::Runtime(MPI_Comm communicator, const Options& options)
    : state_(std::make_shared<onesided::RuntimeState>(communicator, options)) {
  std::vector<int> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  state_->world = std::make_shared<onesided::TeamState>(state_, state_->communicator.get(), std::move(all));
  onesided::make_notifications(*state_);
  state_->finalize_hook =
      std::make_unique<onesided::FinalizeHook>([state = state_.get()] { state->end_with_mpi(); });
}

Runtime::~Runtime() {
  if (state_->finalized) return;
  if (std::uncaught_exceptions() > 0) {
    // Nothing collective: other ranks may not be here. Receives stay posted, so their buffers stay, too.
    state_->finalize_hook.reset();
    state_->progress_thread.reset();
    state_->leave_operations();
    (void)state_->contexts.release();
    return;
  }
  try {
    finalize();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto: the runtime cannot be finalized: %s\n", error.what());
    mpi::abort_all(state_->communicator.get(), 1);
  }
}

void Runtime::finalize() {
  state_->check_alive();
  const std::size_t regions = state_->open_regions();
  const bool in_use = state_->allreduce_max(state_->communicator.get(), regions) > 0;
  const std::size_t pending = state_->pending();
  if (state_->allreduce_max(state_->communicator.get(), pending) > 0) {
    throw HandleError("finalize: " + std::to_string(pending) +
                      " handles of this rank are pending, or some of another rank");
  }
  if (in_use) {
    throw RegionInUseError("finalize: " + std::to_string(regions) +
                           " regions of this rank are not freed, or some of another rank");
  }
  state_->complete_step([&] { wait_implicit(); });
  state_->notifications->release();  // which waits for the replies to abandoned operations
  state_->notifications.reset();
  state_->barrier(state_->communicator.get());
  state_->finalize_hook.reset();
  state_->progress_thread.reset();
  const std::unique_ptr<onesided::Contexts> ended = std::move(state_->contexts);
  state_->world.reset();
  state_->finalized = true;
  if (ended != nullptr) ended->throw_kept();
}

int Runtime::rank() const { return state_->communicator.rank(); }
int Runtime::size() const { return state_->communicator.size(); }
Progress Runtime::progress() const { return state_->progress; }

const Options& Runtime::options() const { return state_->options; }
MPI_Comm Runtime::communicator() const { return state_->communicator.get(); }

Team Runtime::world() const {
  state_->check_alive();
  return onesided::Access::team(state_->world);
}

void Runtime::wait(Handle& handle) {
  check_own(handle, *state_);
  if (handle.pending()) onesided::HandleAccess::complete(handle);
}

void Runtime::wait_all(std::span<Handle> handles) {
  for (const Handle& handle : handles) check_own(handle, *state_);
  for (Handle& handle : handles) wait(handle);
}

bool Runtime::test(Handle& handle) {
  check_own(handle, *state_);
  if (!handle.pending()) return true;
  if (onesided::HandleAccess::is_tested(handle) && !onesided::HandleAccess::is_complete(handle)) {
    state_->make_progress();
    if (!onesided::HandleAccess::is_complete(handle)) return false;
  }
  onesided::HandleAccess::complete(handle);
  return true;
}

std::size_t Runtime::wait_any(std::span<Handle> handles) {
  std::size_t found = handles.size();
  const auto find = [&] {
    std::size_t unknown = handles.size();
    bool others = false;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      check_own(handles[i], *state_);
      if (!handles[i].pending()) continue;
      if (onesided::HandleAccess::is_complete(handles[i])) {
        found = i;
        return true;
      }
      if (onesided::HandleAccess::is_tested(handles[i])) {
        others = true;
      } else if (unknown == handles.size()) {
        unknown = i;
      }
    }
    // MPI has no test for operations of the rma path: without any other, the first of them is the one.
    if (!others) found = unknown;
    if (!others && found == handles.size()) throw HandleError("wait_any: none of the handles is pending");
    return !others;
  };
  state_->wait_until(find, "any of several operations", -1);
  onesided::HandleAccess::complete(handles[found]);
  return found;
}

void Runtime::wait(Aggregate& aggregate) {
  if (onesided::Access::state(aggregate).state != state_)
    throw HandleError("the aggregate belongs to another runtime");
  onesided::Access::state(aggregate).wait();
}

bool Runtime::test(Aggregate& aggregate) {
  if (onesided::Access::state(aggregate).state != state_)
    throw HandleError("the aggregate belongs to another runtime");
  if (!aggregate.pending()) return true;
  if (!onesided::Access::state(aggregate).is_complete()) {
    state_->make_progress();
    if (!onesided::Access::state(aggregate).is_complete()) return false;
  }
  onesided::Access::state(aggregate).wait();
  return true;
}

void Runtime::wait_implicit(int target) {
  state_->check_target(target);
  state_->wait_implicit(target);
}

void Runtime::wait_implicit() {
  state_->check_alive();
  try {
    for (int target = 0; target < size(); ++target) state_->wait_implicit(target);
  } catch (...) {
    for (int target = 0; target < size(); ++target) state_->release_implicit(target);
    throw;
  }
}

void Runtime::fence(int target) {
  state_->check_target(target);
  state_->fence(target);
}

void Runtime::fence() {
  state_->check_alive();
  state_->fence_all();
}

void Runtime::barrier() { world().barrier(); }

void Runtime::poll() {
  state_->check_alive();
  state_->make_progress();
}

std::uint64_t Runtime::notify(int target) {
  state_->check_target(target);
  return onesided::notify(*state_, target);
}

std::uint64_t Runtime::wait_notify(int source) {
  state_->check_target(source);
  return onesided::wait_notify(*state_, source);
}

Counters Runtime::counters(int target) const {
  state_->check_target(target);
  return state_->counters.of(target);
}

Counters Runtime::counters() const { return state_->counters.all(); }

void Runtime::reset_counters() { state_->counters.reset(); }

void Runtime::on_dropped_handle(std::function<void(const std::string&)> report) {
  state_->on_dropped = std::move(report);
}

}  // namespace stretto
