// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/services.hpp"

#include "onesided/api/access.hpp"
#include "onesided/api/aggregate_state.hpp"
#include "onesided/api/check_arguments.hpp"
#include "onesided/api/handle_access.hpp"
#include "onesided/api/notify.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {

std::uint32_t number_of(const Region& region) { return Access::state(region)->id; }

std::byte* address_of(const Region& region, int target) {
  return Access::state(region)->memory->address(target);
}

void check_transfer(const LayoutTransfer& transfer) { check_arguments(transfer); }

void check_range(const LayoutTransfer& transfer) {
  Access::state(transfer.region)->check_range(transfer.target, transfer.layout.remote_end());
}

bool is_complete(const Handle& handle) { return !handle.pending() || HandleAccess::is_complete(handle); }

void release(Handle& handle) noexcept {
  if (!handle.pending()) return;
  HandleAccess::end(handle);
}

void release(Aggregate& aggregate) noexcept {
  if (aggregate.pending()) Access::state(aggregate).end();
}

void release_implicit(const Runtime& runtime, int target) noexcept {
  try {
    Access::state(runtime)->wait_implicit(target);
  } catch (...) {  // none is pending any more
  }
}

void add(Aggregate& aggregate, const LayoutTransfer& transfer) { Access::state(aggregate).add(transfer); }

bool serves_requests(const Runtime& runtime) { return Access::state(runtime)->contexts != nullptr; }

void wait_until(const Runtime& runtime, const std::function<bool()>& done, const char* what, int target) {
  Access::state(runtime)->wait_until(done, what, target);
}

void barrier(const Runtime& runtime, MPI_Comm over) { Access::state(runtime)->barrier(over); }

std::uint64_t allreduce_max(const Runtime& runtime, MPI_Comm over, std::uint64_t value) {
  return Access::state(runtime)->allreduce_max(over, value);
}

std::uint64_t notifications_received(const Runtime& runtime, int source) {
  return notifications_received(*Access::state(runtime), source);
}

}  // namespace stretto::onesided
