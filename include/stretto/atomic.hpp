// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates of one integer of 32 or 64 bits in a region. They return its value before, when it is here.
// Never MPI_Fetch_and_op: whoever does it, the target's runtime or a neighbour, does it with the processor's
// own atomics, and so no update is lost. Throws as put does; besides, the place must be aligned to the value.
#pragma once

#include <concepts>
#include <cstdint>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

namespace stretto {

template <typename T>
concept AtomicInteger = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {
enum class AtomicOperation : std::uint32_t { fetch_add, swap, compare_swap };
std::uint64_t atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::uint32_t size_bytes);
}  // namespace detail

/// Adds; wraps around.
template <AtomicInteger T>
T fetch_add(const Region& region, Place place, T value) {
  return static_cast<T>(detail::atomic(region, place, detail::AtomicOperation::fetch_add,
                                       static_cast<std::uint64_t>(value), 0, sizeof(T)));
}

template <AtomicInteger T>
T swap(const Region& region, Place place, T value) {
  return static_cast<T>(detail::atomic(region, place, detail::AtomicOperation::swap,
                                       static_cast<std::uint64_t>(value), 0, sizeof(T)));
}

/// Stores `desired` where the value is `expected`.
template <AtomicInteger T>
T compare_swap(const Region& region, Place place, T expected, T desired) {
  return static_cast<T>(detail::atomic(region, place, detail::AtomicOperation::compare_swap,
                                       static_cast<std::uint64_t>(desired),
                                       static_cast<std::uint64_t>(expected), sizeof(T)));
}

}  // namespace stretto
