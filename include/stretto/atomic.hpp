// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates of one integer of 32 or 64 bits in a region. They return the value before, and are complete
// then. They never use MPI_Fetch_and_op: the target's runtime, or a rank on its node, uses the processor's
// own atomics, so that no update is lost. They throw what put throws, and ArgumentError where the place is
// not aligned to the value.
#pragma once

#include <concepts>
#include <cstdint>
#include <stretto/element.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

namespace stretto {

template <typename T>
concept AtomicInteger = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {
std::uint64_t atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::uint32_t size_bytes);
}  // namespace detail

/// Adds `value`; wraps around.
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

/// Stores `desired` if the value is `expected`.
template <AtomicInteger T>
T compare_swap(const Region& region, Place place, T expected, T desired) {
  return static_cast<T>(detail::atomic(region, place, detail::AtomicOperation::compare_swap,
                                       static_cast<std::uint64_t>(desired),
                                       static_cast<std::uint64_t>(expected), sizeof(T)));
}

}  // namespace stretto
