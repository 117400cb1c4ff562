// SPDX-License-Identifier: BSD-3-Clause
// A queue that uses its elements again, with the memory that they own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stretto::analysis {

template <typename T>
class RingQueue {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] T& front() { return ring_[first_]; }
  /// The element so many behind the first.
  [[nodiscard]] T& operator[](std::size_t index) { return ring_[(first_ + index) & (ring_.size() - 1)]; }
  /// A new last element, with the value of one that was taken out or a new one. Moves the others.
  T& push() {
    if (count_ == ring_.size()) {
      std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(first_), ring_.end());
      first_ = 0;
      ring_.resize(std::max<std::size_t>(2 * ring_.size(), 1));
    }
    return ring_[(first_ + count_++) & (ring_.size() - 1)];
  }
  void pop() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    --count_;
  }

 private:
  std::vector<T> ring_;  // as many as a power of 2
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace stretto::analysis
