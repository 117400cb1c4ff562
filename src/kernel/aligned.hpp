// SPDX-License-Identifier: BSD-3-Clause
// An array of doubles as vector instructions and the memory's pages like it: aligned to 64 bytes, and a large
// one in huge pages where the system has them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace stretto::kernel {

namespace detail {
struct AlignedDelete {
  std::align_val_t alignment{};
  void operator()(double* values) const { ::operator delete[](values, alignment); }
};
}  // namespace detail

class AlignedArray {
 public:
  AlignedArray() = default;
  /// Zeroed.
  explicit AlignedArray(std::size_t size);

  [[nodiscard]] double* data() { return values_.get(); }
  [[nodiscard]] const double* data() const { return values_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// All zero again.
  void clear();

 private:
  std::unique_ptr<double[], detail::AlignedDelete> values_;
  std::size_t size_ = 0;
};

}  // namespace stretto::kernel
