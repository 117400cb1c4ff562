// SPDX-License-Identifier: BSD-3-Clause
// Arrays with one entry per operation. They are in memory while their total is small, else in an unnamed
// file. A replay traverses each rank's part once, from begin to end, so that little of it needs to be in
// memory at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace stretto::replay {

/// The limit of all long columns together in memory; further ones are in a file.
inline constexpr std::size_t column_memory_bytes = std::size_t{1} << 30U;

namespace detail {

inline constexpr std::size_t long_column_bytes = std::size_t{1} << 25U;

/// Throws std::bad_alloc when there is neither memory nor space in the directory of temporary files.
[[nodiscard]] void* take_column(std::size_t bytes);
void give_column(void* begin, std::size_t bytes) noexcept;

}  // namespace detail

template <typename T>
class SpillableAllocator {
 public:
  using value_type = T;

  SpillableAllocator() = default;
  template <typename Other>
  explicit SpillableAllocator(const SpillableAllocator<Other>&) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count * sizeof(T) < detail::long_column_bytes) return std::allocator<T>().allocate(count);
    return static_cast<T*>(detail::take_column(count * sizeof(T)));
  }
  void deallocate(T* begin, std::size_t count) noexcept {
    if (count * sizeof(T) < detail::long_column_bytes) {
      std::allocator<T>().deallocate(begin, count);
    } else {
      detail::give_column(begin, count * sizeof(T));
    }
  }

  bool operator==(const SpillableAllocator&) const { return true; }
};

template <typename T>
using SpillableColumn = std::vector<T, SpillableAllocator<T>>;

/// The number of bytes of columns that are currently in the file.
[[nodiscard]] std::size_t spilled_bytes();

}  // namespace stretto::replay
