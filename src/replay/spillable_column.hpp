// SPDX-License-Identifier: BSD-3-Clause
// Arrays with an entry an operation, in memory while all of them together are small, else in a file without a
// name. A replay goes through each rank's part of them once, from begin to end, so that little of it need be
// in memory at a time. Knows nothing of their content.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace stretto::replay {

/// Up to here all long columns together stay in memory; what comes then lies in a file.
inline constexpr std::size_t column_memory_bytes = std::size_t{1} << 30U;

namespace detail {

inline constexpr std::size_t long_column_bytes = std::size_t{1} << 25U;

/// Throws std::bad_alloc: there is neither memory nor space in the directory of temporary files.
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

/// How many bytes of columns lie in the file at the moment.
[[nodiscard]] std::size_t spilled_bytes();

}  // namespace stretto::replay
