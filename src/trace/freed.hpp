// SPDX-License-Identifier: BSD-3-Clause
// Handles that a call is about to free. They are removed from the recorder's tables before the call: as soon
// as MPI has freed a handle, another thread may get the same one for something new. If the call fails, they
// are put back. These functions are rare: they are not inlined into the wrappers.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "trace/recorder.hpp"

namespace stretto::trace {

/// A communicator, or with `window` a window.
template <bool window>
class FreedContext {
 public:
  using Handle = std::conditional_t<window, MPI_Win, MPI_Comm>;

  [[gnu::noinline]] FreedContext(const Call& call, Handle handle) : handle_(handle) {
    if (!call) return;
    if constexpr (window) {
      entry_ = recorder().contexts.take_window(handle);
    } else {
      entry_ = recorder().contexts.take(handle);
    }
  }
  [[gnu::noinline]] ~FreedContext() {
    if (!entry_) return;
    if constexpr (window) {
      recorder().contexts.put_back_window(handle_, std::move(*entry_));
    } else {
      recorder().contexts.put_back(handle_, std::move(*entry_));
    }
  }
  FreedContext(const FreedContext&) = delete;
  FreedContext& operator=(const FreedContext&) = delete;

  /// The number of what is free now; no_context: not known.
  [[nodiscard, gnu::noinline]] std::uint16_t done() {
    const auto entry = std::exchange(entry_, std::nullopt);
    if (!entry || !entry->context) return record::no_context;
    recorder().contexts.give_up(entry->context->number);
    return entry->context->number;
  }

 private:
  Handle handle_;
  std::optional<Contexts::Entry> entry_;
};

/// A request; only persistent ones leave their table, the others are in order in their handle's queue.
class FreedRequest {
 public:
  [[gnu::noinline]] FreedRequest(const Call& call, MPI_Request handle) : handle_(handle) {
    if (!call) return;
    was_cancelled_ = recorder().requests.is_cancel_requested(handle) && is_cancelled(handle);
    persistent_ = recorder().requests.take_persistent(handle);
  }
  [[gnu::noinline]] ~FreedRequest() {
    if (persistent_) recorder().requests.add_persistent(handle_, *persistent_);
  }
  FreedRequest(const FreedRequest&) = delete;
  FreedRequest& operator=(const FreedRequest&) = delete;

  /// Whether MPI_Cancel has ended the operation without its message.
  [[nodiscard]] bool was_cancelled() const { return was_cancelled_; }
  /// The number of the operation that was active; 0: none.
  [[nodiscard, gnu::noinline]] std::uint32_t done() {
    const auto persistent = std::exchange(persistent_, std::nullopt);
    return persistent ? persistent->active : recorder().requests.take(handle_).number;
  }

 private:
  /// Of an operation that is known to exist, and that nobody waits for.
  [[nodiscard]] static bool is_cancelled(MPI_Request handle) {
    int complete = 0;
    int cancelled = 0;
    MPI_Status status;
    PMPI_Request_get_status(handle, &complete, &status);
    if (complete != 0) PMPI_Test_cancelled(&status, &cancelled);
    return cancelled != 0;
  }

  MPI_Request handle_;
  bool was_cancelled_ = false;
  std::optional<Persistent> persistent_;
};

[[nodiscard]] inline MatchedMessage matched_before(const Call& call, MPI_Message handle) {
  return call ? recorder().matched.take(handle) : MatchedMessage{};
}

}  // namespace stretto::trace
