// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <exception>
#include <stretto/handle.hpp>
#include <string>
#include <utility>

#include "rma/execute.hpp"
#include "rma/region_state.hpp"

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

Handle::~Handle() {
  if (pending()) drop();
}

void Handle::drop() noexcept {
  try {
    const std::shared_ptr<rma::State> state = region_->team->state;  // the region may be gone with the handle
    // Buffers are about to go away: what is under way must end first, whoever is to blame.
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

Handle HandleAccess::make(RegionState& region, int target, Path path, std::uint64_t ticket,
                          std::shared_ptr<Operation> operation) {
  Handle handle;
  region.begin_use();
  handle.region_ = &region;
  handle.operation_ = std::move(operation);
  handle.ticket_ = ticket;
  handle.target_ = target;
  handle.path_ = path;
  return handle;
}

State& HandleAccess::state(const Handle& handle) { return handle.region_->state(); }

bool HandleAccess::is_complete(const Handle& handle) {
  switch (handle.path_) {
    case Path::direct:
      return true;
    case Path::rma:
      return handle.region_->is_locally_complete(handle.target_, handle.ticket_);
    case Path::message:
      break;
  }
  return handle.operation_->done.load(std::memory_order_acquire);
}

void HandleAccess::complete(Handle& handle) {
  if (handle.path_ == Path::rma) handle.region_->complete_locally(handle.target_, handle.ticket_);
  if (handle.path_ == Path::message) state(handle).await(*handle.operation_, "a nonblocking operation");
  clear(handle);
}

void HandleAccess::clear(Handle& handle) {
  if (handle.region_ == nullptr) return;
  std::exchange(handle.region_, nullptr)->end_use();
  handle.operation_.reset();
}

}  // namespace rma
}  // namespace stretto
