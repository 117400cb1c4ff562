// SPDX-License-Identifier: BSD-3-Clause
// Memory of messages that begins at a page, as the large arrays of programs do.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace stretto::exchange {

template <typename T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{4096};

  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>& /*other*/) {
  }  // NOLINT(google-explicit-constructor): as allocators do

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, alignment); }
  bool operator==(const PageAllocator& /*other*/) const { return true; }
};

using PageMemory = std::vector<std::byte, PageAllocator<std::byte>>;

}  // namespace stretto::exchange
