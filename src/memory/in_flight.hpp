// SPDX-License-Identifier: BSD-3-Clause
// Accesses of the program to the data of messages in flight: between the call that starts an operation and
// the one that completes it. Only where STRETTO_TRACE_IN_FLIGHT is 1, as each access costs a look at all
// messages in flight. Granules that a message covers in part are not looked at: the rest is not MPI's.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/watch.hpp"

namespace stretto::memory::in_flight {

/// Whether such accesses are noted.
[[nodiscard]] bool is_noted();

/// An operation of this data was started at a call site. From now on the accesses to it call the runtime.
void begin(std::uint32_t request, std::uint16_t site, const Data& data, Direction direction);
void end(std::uint32_t request);

// The program loads from, or stores to, a granule at `pc`.
void loaded(std::uintptr_t granule, std::uintptr_t pc);
void stored(std::uintptr_t granule, std::uintptr_t pc);

[[nodiscard]] std::vector<Touch> touches();

}  // namespace stretto::memory::in_flight
