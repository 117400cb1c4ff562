// SPDX-License-Identifier: BSD-3-Clause
// An array of zeros that takes memory only where it was written and not released: its pages.
#pragma once

#include <cstddef>

namespace stretto::replay {

namespace detail {

/// Throws std::bad_alloc.
[[nodiscard]] void* reserve_pages(std::size_t bytes);
void unreserve_pages(void* begin, std::size_t bytes) noexcept;
/// Releases the pages that lie wholly between `first` and `end`, but for those that end before `from`.
void release_pages(std::byte* first, std::byte* from, std::byte* end) noexcept;

}  // namespace detail

/// `T` is trivial to copy and to destroy; a value of zero bytes is valid.
template <typename T>
class SparseArray {
 public:
  explicit SparseArray(std::size_t count)
      : bytes_((count + 1) * sizeof(T)), all_(static_cast<T*>(detail::reserve_pages(bytes_))) {}
  SparseArray(const SparseArray&) = delete;
  SparseArray& operator=(const SparseArray&) = delete;
  ~SparseArray() { detail::unreserve_pages(all_, bytes_); }

  [[nodiscard]] T* data() { return all_; }
  [[nodiscard]] T& operator[](std::size_t index) { return all_[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const { return all_[index]; }
  /// The values from `first` to `end` are not needed any more; those before `from` were released before.
  void release(std::size_t first, std::size_t from, std::size_t end) {
    const auto at = [this](std::size_t index) { return reinterpret_cast<std::byte*>(all_ + index); };
    detail::release_pages(at(first), at(from), at(end));
  }

 private:
  std::size_t bytes_;
  T* all_;
};

}  // namespace stretto::replay
