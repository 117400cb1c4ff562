// SPDX-License-Identifier: BSD-3-Clause
// What ARMCI takes of the runtime beyond its public headers, because it names memory by addresses and builds
// transfers of its own.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stretto/aggregate.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>

#include "onesided/path/execute.hpp"

namespace stretto::onesided {

/// The number of a region in its runtime, the same on all ranks.
[[nodiscard]] std::uint32_t number_of(const Region& region);
/// A rank's part: its node-local address in this process where there is one, else its owner's address.
[[nodiscard]] std::byte* address_of(const Region& region, int target);

/// Ends the use of memory that is about to be freed, without a report: waits for what is pending, or abandons
/// it.
void release(Handle& handle) noexcept;
void release(Aggregate& aggregate) noexcept;
void release_implicit(const Runtime& runtime, int target) noexcept;

/// Throws what run() would throw for the arguments of the transfer, before it moves a byte.
void check_transfer(const LayoutTransfer& transfer);
/// The same for its target, and for its place in the target's part, alone.
void check_range(const LayoutTransfer& transfer);

/// Whether the operation is complete, as far as that can be seen without waiting.
[[nodiscard]] bool is_complete(const Handle& handle);
/// Adds a transfer to an aggregate. Throws what Aggregate::put throws.
void add(Aggregate& aggregate, const LayoutTransfer& transfer);

/// Whether other ranks may send requests to this rank, so that it must serve them while it waits.
[[nodiscard]] bool serves_requests(const Runtime& runtime);
/// Polls until `done()`. `what` is a noun for messages; `target` is the rank that must answer, -1: all.
/// Throws TimeoutError.
void wait_until(const Runtime& runtime, const std::function<bool()>& done, const char* what, int target);
/// A barrier over `over` that serves requests while it waits.
void barrier(const Runtime& runtime, MPI_Comm over);
/// The largest value of all ranks of `over`. Serves requests while it waits.
[[nodiscard]] std::uint64_t allreduce_max(const Runtime& runtime, MPI_Comm over, std::uint64_t value);
/// How often `source` has notified this rank.
[[nodiscard]] std::uint64_t notifications_received(const Runtime& runtime, int source);

}  // namespace stretto::onesided
