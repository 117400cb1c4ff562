// SPDX-License-Identifier: BSD-3-Clause
// An array of plain values, aligned to 64 bytes for vector instructions. A large one uses huge pages where
// the system has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace stretto::kernel {

namespace detail {
struct AlignedDelete {
  std::align_val_t alignment{};
  void operator()(std::byte* memory) const { ::operator delete[](memory, alignment); }
};
using AlignedMemory = std::unique_ptr<std::byte[], AlignedDelete>;

/// Allocates uninitialised bytes.
[[nodiscard]] AlignedMemory aligned_memory(std::size_t bytes);
}  // namespace detail

template <typename Value>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<Value>, "an AlignedArray has plain values only");

 public:
  AlignedArray() = default;
  /// Allocates `size` zeros.
  explicit AlignedArray(std::size_t size)
      : memory_(detail::aligned_memory(size * sizeof(Value))), size_(size) {
    clear();
  }

  [[nodiscard]] Value* data() { return reinterpret_cast<Value*>(memory_.get()); }
  [[nodiscard]] const Value* data() const { return reinterpret_cast<const Value*>(memory_.get()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Sets all values to zero.
  void clear() { std::fill_n(data(), size_, Value{}); }

 private:
  detail::AlignedMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace stretto::kernel
