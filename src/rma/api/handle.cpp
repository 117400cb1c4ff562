// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <exception>
#include <stretto/handle.hpp>
#include <string>
#include <utility>

#include "rma/api/handle_access.hpp"

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
  try {
    const std::shared_ptr<rma::RuntimeState> state = region_->team->state;  // complete() may free the region
    // The caller's buffers are about to be freed, so the operation must be complete before the report.
    const std::string what = "a handle of an operation to rank " +
                             std::to_string(region_->runtime_rank(target_)) +
                             " was dropped while pending; wait for it, or test it until it is done";
    rma::HandleAccess::complete(*this);
    if (std::uncaught_exceptions() == 0) state->report_dropped(what);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto: %s\n", error.what());
  }
  rma::HandleAccess::clear(*this);
}

namespace rma {

void HandleAccess::await_message(const Handle& handle) {
  state(handle).wait_for(*handle.operation_, "a nonblocking operation");
}

}  // namespace rma
}  // namespace stretto
