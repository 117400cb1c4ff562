// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <stretto/handle.hpp>
#include <string>
#include <utility>

#include "onesided/api/handle_access.hpp"

namespace stretto {

Handle::Handle(Handle&& other) noexcept
    : region_(std::exchange(other.region_, nullptr)),
      operation_(std::move(other.operation_)),
      ticket_(other.ticket_),
      target_(other.target_),
      path_(other.path_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this == &other) return *this;
  if (pending()) drop();
  region_ = std::exchange(other.region_, nullptr);
  operation_ = std::move(other.operation_);
  ticket_ = other.ticket_;
  target_ = other.target_;
  path_ = other.path_;
  return *this;
}

void Handle::drop() noexcept {
  const std::shared_ptr<onesided::RuntimeState> state = region_->team->state;  // clear() may free the region
  const int target = region_->runtime_rank(target_);
  const bool unwinding = std::uncaught_exceptions() > 0;
  onesided::HandleAccess::end(*this);  // the caller's buffers are about to be freed
  if (unwinding) return;
  onesided::in_destructor([&] {
    state->report_dropped("a handle of an operation to rank " + std::to_string(target) +
                          " was dropped while pending; wait for it, or test it until it is done");
  });
}

namespace onesided {

void HandleAccess::end(Handle& handle) noexcept {
  in_destructor([&] {
    // Once a wait has timed out, unwinding does not wait for all that it drops.
    if (std::uncaught_exceptions() == 0 || !state(handle).timed_out) await_source(handle);
  });
  release(handle);
  clear(handle);
}

void HandleAccess::await_message(const Handle& handle) {
  state(handle).wait_for(*handle.operation_, "a nonblocking operation");
}

}  // namespace onesided
}  // namespace stretto
