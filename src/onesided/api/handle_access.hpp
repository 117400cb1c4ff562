// SPDX-License-Identifier: BSD-3-Clause
// The contents of a handle, and how it is completed. Inline, because a small transfer takes no longer than a
// call.
#pragma once

#include <cstdint>
#include <memory>
#include <stretto/handle.hpp>
#include <utility>

#include "onesided/engine/operation.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {

struct HandleAccess {
  static Handle make(RegionState& region, int target, Path path, std::uint64_t ticket,
                     std::shared_ptr<MessageOperation>&& operation) {
    Handle handle;
    region.begin_use();
    handle.region_ = &region;
    handle.operation_ = std::move(operation);
    handle.ticket_ = ticket;
    handle.target_ = target;
    handle.path_ = path;
    return handle;
  }

  static RuntimeState& state(const Handle& handle) { return handle.region_->runtime(); }
  static Path path(const Handle& handle) { return handle.path_; }
  /// Of a handle on the message path.
  static MessageOperation& operation(const Handle& handle) { return *handle.operation_; }

  /// Whether the operation is complete, as far as that can be seen without waiting.
  static bool is_complete(const Handle& handle) {
    if (handle.path_ == Path::direct) return true;
    if (handle.path_ == Path::rma && !is_fence(handle)) return is_flushed(handle);
    if (!handle.operation_->done.load(std::memory_order_acquire)) return false;
    if (is_fence(handle)) flush(handle);
    return true;
  }

  static void complete(Handle& handle) {
    await_source(handle);
    clear(handle);
  }

  /// Waits for local completion, and leaves the handle pending.
  static void await_source(const Handle& handle) {
    if (handle.path_ == Path::direct) return;
    if (handle.path_ == Path::message) return await_message(handle);
    if (is_fence(handle)) return flush(handle);
    handle.region_->complete_locally(handle.target_, handle.ticket_);
  }
  /// Waits until what the handle is for is visible at the target. On the rma path.
  static void flush(const Handle& handle) {
    if (!is_fence(handle)) return handle.region_->flush(handle.target_);
    state(handle).fence_windows(handle.region_->runtime_rank(handle.target_));
    await_message(handle);
  }

  /// Whether its completion is seen when the target answers, or MPI has sent it: a test may then be false.
  /// MPI has no test for the rest of the rma path, only a flush.
  static bool is_tested(const Handle& handle) { return handle.path_ == Path::message || is_fence(handle); }

  /// Ends the operation's use of the program's memory, which is about to be freed.
  static void release(const Handle& handle) noexcept {
    if (handle.path_ == Path::direct || is_fence(handle)) return;
    if (handle.ticket_ > 0)
      handle.region_->end_transfers(handle.target_);  // on the rma path, also behind a flag
    if (handle.operation_ != nullptr) state(handle).release(*handle.operation_);
  }

  /// Waits for the operation where that is possible, else releases it, and empties the handle.
  static void end(Handle& handle) noexcept;

  /// Empties the handle of a complete operation.
  static void clear(Handle& handle) {
    if (handle.region_ == nullptr) return;
    std::exchange(handle.region_, nullptr)->end_use();
    handle.operation_.reset();
  }

 private:
  /// Whether it is of a nonblocking fence that must flush windows.
  static bool is_fence(const Handle& handle) {
    return handle.path_ == Path::rma && handle.operation_ != nullptr;
  }
  static bool is_flushed(const Handle& handle) {
    return handle.region_->is_locally_complete(handle.target_, handle.ticket_);
  }
  static void await_message(const Handle& handle);
};

}  // namespace stretto::onesided
