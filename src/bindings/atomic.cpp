// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates of one value.
#include <cstring>
#include <stretto/atomic.hpp>
#include <string>

#include "bindings/objects.hpp"

using namespace stretto::bindings;

namespace {

template <typename T>
int fetch_add(const stretto_region* region, int target, size_t offset, T value, T* before) {
  return give(before, "before", [&] {
    return stretto::fetch_add(region_of(region), {target, offset}, value);
  });
}

template <typename T>
int swap(const stretto_region* region, int target, size_t offset, T value, T* before) {
  return give(before, "before", [&] { return stretto::swap(region_of(region), {target, offset}, value); });
}

template <typename T>
int compare_swap(const stretto_region* region, int target, size_t offset, T expected, T desired, T* before) {
  return give(before, "before", [&] {
    return stretto::compare_swap(region_of(region), {target, offset}, expected, desired);
  });
}

using stretto::detail::AtomicOperation;

/// A type of stretto.h, as the runtime needs to know it.
struct Word {
  std::uint32_t size_bytes = 0;
  bool real = false;

  [[nodiscard]] std::uint64_t bits_of(const void* value) const {
    std::uint32_t narrow = 0;
    std::uint64_t wide = 0;
    if (size_bytes == sizeof wide) {
      std::memcpy(&wide, value, sizeof wide);
      return wide;
    }
    std::memcpy(&narrow, value, sizeof narrow);
    return narrow;
  }
  void store(void* place, std::uint64_t bits) const {
    const auto narrow = static_cast<std::uint32_t>(bits);
    std::memcpy(place, size_bytes == sizeof bits ? static_cast<const void*>(&bits) : &narrow, size_bytes);
  }
};

Word word_of(int type) {
  switch (type) {
    case STRETTO_INT32:
    case STRETTO_UINT32:
      return {.size_bytes = 4};
    case STRETTO_INT64:
    case STRETTO_UINT64:
      return {.size_bytes = 8};
    case STRETTO_FLOAT32:
      return {.size_bytes = 4, .real = true};
    case STRETTO_FLOAT64:
      return {.size_bytes = 8, .real = true};
    default:
      throw stretto::ArgumentError("type", std::to_string(type) + " is no integer or real type of stretto.h");
  }
}

AtomicOperation operation_of(int operation, const Word& word) {
  const bool of_bits = operation >= STRETTO_ATOMIC_AND && operation <= STRETTO_ATOMIC_XOR;
  if (of_bits && word.real) throw stretto::ArgumentError("operation", "of bits needs an integer type");
  switch (operation) {
    case STRETTO_ATOMIC_ADD:
      return word.real ? AtomicOperation::fetch_add_real : AtomicOperation::fetch_add;
    case STRETTO_ATOMIC_AND:
      return AtomicOperation::fetch_and;
    case STRETTO_ATOMIC_OR:
      return AtomicOperation::fetch_or;
    case STRETTO_ATOMIC_XOR:
      return AtomicOperation::fetch_xor;
    case STRETTO_ATOMIC_SET:
      return AtomicOperation::swap;
    case STRETTO_ATOMIC_FETCH:
      return AtomicOperation::fetch;
    default:
      throw_no_constant("operation", operation);
  }
}

/// An update as the runtime takes it.
struct Update {
  Word word;
  AtomicOperation operation{};
  std::uint64_t operand = 0;

  Update(int type, int code, const void* value, const void* fetched)
      : word(word_of(type)), operation(operation_of(code, word)) {
    if (operation == AtomicOperation::fetch) {
      if (fetched == nullptr) throw_null("fetched");
    } else {
      operand = word.bits_of(&given(static_cast<const std::byte*>(value), "operand"));
    }
  }
};

}  // namespace

extern "C" {

int stretto_atomic(const stretto_region* region, int target, size_t offset, int type, int operation,
                   const void* operand, void* fetched) {
  return guarded([&] {
    const Update update(type, operation, operand, fetched);
    const stretto::Place place{target, offset};
    if (fetched == nullptr) {
      stretto::detail::atomic_update(region_of(region), place, update.operation, update.operand,
                                     update.word.size_bytes);
    } else {
      update.word.store(fetched, stretto::detail::atomic(region_of(region), place, update.operation,
                                                         update.operand, 0, update.word.size_bytes));
    }
  });
}

int stretto_nonblocking_atomic(const stretto_region* region, int target, size_t offset, int type,
                               int operation, const void* operand, void* fetched, stretto_handle** handle) {
  return started(handle, [&] {
    const Update update(type, operation, operand, fetched);
    return stretto::detail::start_atomic(region_of(region), {target, offset}, update.operation,
                                         update.operand, 0, update.word.size_bytes, fetched);
  });
}

int stretto_nonblocking_compare_swap(const stretto_region* region, int target, size_t offset, int type,
                                     const void* expected, const void* operand, void* fetched,
                                     stretto_handle** handle) {
  return started(handle, [&] {
    const Word word = word_of(type);
    if (word.real) throw stretto::ArgumentError("type", "of a comparison must be an integer type");
    const std::uint64_t before = word.bits_of(&given(static_cast<const std::byte*>(expected), "expected"));
    const std::uint64_t after = word.bits_of(&given(static_cast<const std::byte*>(operand), "operand"));
    return stretto::detail::start_atomic(region_of(region), {target, offset}, AtomicOperation::compare_swap,
                                         after, before, word.size_bytes,
                                         &given(static_cast<std::byte*>(fetched), "fetched"));
  });
}

int stretto_fetch_add_int32(const stretto_region* region, int target, size_t offset, int32_t value,
                            int32_t* before) {
  return fetch_add(region, target, offset, value, before);
}

int stretto_fetch_add_int64(const stretto_region* region, int target, size_t offset, int64_t value,
                            int64_t* before) {
  return fetch_add(region, target, offset, value, before);
}

int stretto_swap_int32(const stretto_region* region, int target, size_t offset, int32_t value,
                       int32_t* before) {
  return swap(region, target, offset, value, before);
}

int stretto_swap_int64(const stretto_region* region, int target, size_t offset, int64_t value,
                       int64_t* before) {
  return swap(region, target, offset, value, before);
}

int stretto_compare_swap_int32(const stretto_region* region, int target, size_t offset, int32_t expected,
                               int32_t desired, int32_t* before) {
  return compare_swap(region, target, offset, expected, desired, before);
}

int stretto_compare_swap_int64(const stretto_region* region, int target, size_t offset, int64_t expected,
                               int64_t desired, int64_t* before) {
  return compare_swap(region, target, offset, expected, desired, before);
}
}
