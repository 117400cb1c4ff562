// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/completion.hpp>
#include <stretto/error.hpp>
#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/handle_access.hpp"
#include "onesided/api/nonblocking_fence.hpp"

namespace stretto {
namespace {

/// Sends the query of a store that has none yet.
void start_query(const Handle& handle) {
  onesided::MessageOperation& operation = onesided::HandleAccess::operation(handle);
  // Throws: the runtime that would query is gone.
  if (operation.abandoned)
    onesided::HandleAccess::state(handle).wait_for(operation, "a nonblocking operation");
  if (operation.query != nullptr || onesided::is_replied_to(operation.kind)) return;
  operation.query = onesided::HandleAccess::state(handle).start_query(operation.target);
  // Without a query all is done at the target, and there is nothing to ask again.
  if (operation.query == nullptr) operation.query = onesided::done_operation(operation.target);
}

bool is_done_remotely(const Handle& handle) {
  const onesided::MessageOperation& operation = onesided::HandleAccess::operation(handle);
  return operation.done.load(std::memory_order_acquire) &&
         (operation.query == nullptr || operation.query->done.load(std::memory_order_acquire));
}

}  // namespace

void wait_source(Handle& handle) {
  if (handle.pending()) onesided::HandleAccess::await_source(handle);
}

bool test_source(Handle& handle) {
  if (!handle.pending() || onesided::HandleAccess::is_complete(handle)) return true;
  if (!onesided::HandleAccess::is_tested(handle)) {
    onesided::HandleAccess::await_source(handle);
    return true;
  }
  onesided::HandleAccess::state(handle).make_progress();
  return onesided::HandleAccess::is_complete(handle);
}

void wait_remote(Handle& handle) {
  if (!handle.pending()) return;
  onesided::RuntimeState& state = onesided::HandleAccess::state(handle);
  const Path path = onesided::HandleAccess::path(handle);
  if (path == Path::rma) onesided::HandleAccess::flush(handle);
  if (path == Path::message) {
    start_query(handle);
    state.wait_until([&] { return is_done_remotely(handle); }, "remote completion",
                     onesided::HandleAccess::operation(handle).target);
  }
  onesided::fence_stores();
  onesided::HandleAccess::complete(handle);
}

bool test_remote(Handle& handle) {
  if (!handle.pending()) return true;
  if (onesided::HandleAccess::is_tested(handle)) {
    start_query(handle);
    if (!is_done_remotely(handle)) onesided::HandleAccess::state(handle).make_progress();
    if (!is_done_remotely(handle)) return false;
  }
  wait_remote(handle);
  return true;
}

namespace onesided {

Handle start_fence(RuntimeState& state, int target) {
  fence_stores();
  if (!state.unfenced_to(target).any()) return {};
  FenceStarted started = state.start_fence(target);
  if (started.query == nullptr && !started.flushes) return {};
  if (started.query == nullptr) started.query = done_operation(target);
  return HandleAccess::make(*state.notifications, target, started.flushes ? Path::rma : Path::message, 0,
                            std::move(started.query));
}

std::vector<Handle> start_fences(RuntimeState& state) {
  std::vector<Handle> handles;
  for (int target = 0; target < state.communicator.size(); ++target) {
    Handle handle = start_fence(state, target);
    if (handle.pending()) handles.push_back(std::move(handle));
  }
  return handles;
}

}  // namespace onesided

namespace nonblocking {

Handle fence(Runtime& runtime, int target) {
  onesided::RuntimeState& state = *onesided::Access::state(runtime);
  state.check_target(target);
  return onesided::start_fence(state, target);
}

std::vector<Handle> fence(Runtime& runtime) {
  onesided::RuntimeState& state = *onesided::Access::state(runtime);
  state.check_alive();
  return onesided::start_fences(state);
}

}  // namespace nonblocking
}  // namespace stretto
