// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates of one value of 32 or 64 bits in a region: integers, float and double. They never use
// MPI_Fetch_and_op: the target's runtime, or a rank on its node, uses the processor's own atomics, so that no
// update is lost. They throw what put throws, and ArgumentError where the place is not aligned to the value.
//
// fetch_add, fetch_and, fetch_or, fetch_xor, swap, compare_swap and atomic_fetch return the value before, and
// are complete then. atomic_add, atomic_and, atomic_or, atomic_xor and atomic_set return none; they complete
// and are ordered as puts are.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <stretto/element.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

namespace stretto {

template <typename T>
concept AtomicInteger = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
template <typename T>
concept AtomicValue = AtomicInteger<T> || std::same_as<T, float> || std::same_as<T, double>;

namespace detail {

std::uint64_t atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::uint32_t size_bytes);
void atomic_update(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                   std::uint32_t size_bytes);
/// Stores the value before at `before`, unless that is nullptr: then the update returns none.
Handle start_atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                    std::uint64_t expected, std::uint32_t size_bytes, void* before);

template <AtomicValue T>
std::uint64_t to_bits(T value) {
  if constexpr (std::integral<T>) {
    return static_cast<std::uint64_t>(value);
  } else if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
}

template <AtomicValue T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(bits);
  } else if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    const auto narrow = static_cast<std::uint32_t>(bits);
    T value{};
    std::memcpy(&value, &narrow, sizeof value);
    return value;
  } else {
    T value{};
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
}

template <AtomicValue T>
inline constexpr AtomicOperation addition =
    std::integral<T> ? AtomicOperation::fetch_add : AtomicOperation::fetch_add_real;

template <AtomicValue T>
T fetch_with(const Region& region, Place place, AtomicOperation operation, T value) {
  return from_bits<T>(atomic(region, place, operation, to_bits(value), 0, sizeof(T)));
}
template <AtomicValue T>
void update_with(const Region& region, Place place, AtomicOperation operation, T value) {
  atomic_update(region, place, operation, to_bits(value), sizeof(T));
}

}  // namespace detail

/// Adds `value`. Integers wrap around.
template <AtomicValue T>
T fetch_add(const Region& region, Place place, T value) {
  return detail::fetch_with(region, place, detail::addition<T>, value);
}
template <AtomicInteger T>
T fetch_and(const Region& region, Place place, T value) {
  return detail::fetch_with(region, place, detail::AtomicOperation::fetch_and, value);
}
template <AtomicInteger T>
T fetch_or(const Region& region, Place place, T value) {
  return detail::fetch_with(region, place, detail::AtomicOperation::fetch_or, value);
}
template <AtomicInteger T>
T fetch_xor(const Region& region, Place place, T value) {
  return detail::fetch_with(region, place, detail::AtomicOperation::fetch_xor, value);
}

template <AtomicValue T>
T swap(const Region& region, Place place, T value) {
  return detail::fetch_with(region, place, detail::AtomicOperation::swap, value);
}

/// Stores `desired` if the value is `expected`.
template <AtomicInteger T>
T compare_swap(const Region& region, Place place, T expected, T desired) {
  return static_cast<T>(detail::atomic(region, place, detail::AtomicOperation::compare_swap,
                                       static_cast<std::uint64_t>(desired),
                                       static_cast<std::uint64_t>(expected), sizeof(T)));
}

/// The value, read atomically: `T` must be given.
template <AtomicValue T>
[[nodiscard]] T atomic_fetch(const Region& region, Place place) {
  return detail::fetch_with(region, place, detail::AtomicOperation::fetch, T{});
}

template <AtomicValue T>
void atomic_add(const Region& region, Place place, T value) {
  detail::update_with(region, place, detail::addition<T>, value);
}
template <AtomicInteger T>
void atomic_and(const Region& region, Place place, T value) {
  detail::update_with(region, place, detail::AtomicOperation::fetch_and, value);
}
template <AtomicInteger T>
void atomic_or(const Region& region, Place place, T value) {
  detail::update_with(region, place, detail::AtomicOperation::fetch_or, value);
}
template <AtomicInteger T>
void atomic_xor(const Region& region, Place place, T value) {
  detail::update_with(region, place, detail::AtomicOperation::fetch_xor, value);
}
template <AtomicValue T>
void atomic_set(const Region& region, Place place, T value) {
  detail::update_with(region, place, detail::AtomicOperation::swap, value);
}

/// `before` must stay until the handle is complete, and has the value then.
namespace nonblocking {

template <AtomicValue T>
Handle fetch_add(const Region& region, Place place, T value, T& before) {
  return detail::start_atomic(region, place, detail::addition<T>, detail::to_bits(value), 0, sizeof(T),
                              &before);
}
template <AtomicInteger T>
Handle fetch_and(const Region& region, Place place, T value, T& before) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch_and, detail::to_bits(value), 0,
                              sizeof(T), &before);
}
template <AtomicInteger T>
Handle fetch_or(const Region& region, Place place, T value, T& before) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch_or, detail::to_bits(value), 0,
                              sizeof(T), &before);
}
template <AtomicInteger T>
Handle fetch_xor(const Region& region, Place place, T value, T& before) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch_xor, detail::to_bits(value), 0,
                              sizeof(T), &before);
}
template <AtomicValue T>
Handle swap(const Region& region, Place place, T value, T& before) {
  return detail::start_atomic(region, place, detail::AtomicOperation::swap, detail::to_bits(value), 0,
                              sizeof(T), &before);
}
template <AtomicInteger T>
Handle compare_swap(const Region& region, Place place, T expected, T desired, T& before) {
  return detail::start_atomic(region, place, detail::AtomicOperation::compare_swap, detail::to_bits(desired),
                              detail::to_bits(expected), sizeof(T), &before);
}
template <AtomicValue T>
Handle atomic_fetch(const Region& region, Place place, T& value) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch, 0, 0, sizeof(T), &value);
}

template <AtomicValue T>
Handle atomic_add(const Region& region, Place place, T value) {
  return detail::start_atomic(region, place, detail::addition<T>, detail::to_bits(value), 0, sizeof(T),
                              nullptr);
}
template <AtomicInteger T>
Handle atomic_and(const Region& region, Place place, T value) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch_and, detail::to_bits(value), 0,
                              sizeof(T), nullptr);
}
template <AtomicInteger T>
Handle atomic_or(const Region& region, Place place, T value) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch_or, detail::to_bits(value), 0,
                              sizeof(T), nullptr);
}
template <AtomicInteger T>
Handle atomic_xor(const Region& region, Place place, T value) {
  return detail::start_atomic(region, place, detail::AtomicOperation::fetch_xor, detail::to_bits(value), 0,
                              sizeof(T), nullptr);
}
template <AtomicValue T>
Handle atomic_set(const Region& region, Place place, T value) {
  return detail::start_atomic(region, place, detail::AtomicOperation::swap, detail::to_bits(value), 0,
                              sizeof(T), nullptr);
}

}  // namespace nonblocking

}  // namespace stretto
