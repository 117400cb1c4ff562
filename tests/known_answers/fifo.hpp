// SPDX-License-Identifier: BSD-3-Clause
// A queue in one array. The capacity is reused, so that nothing is allocated in steady state. std::deque
// keeps allocating blocks.
#pragma once

#include <cstddef>
#include <vector>

namespace stretto::known_answers {

template <typename T>
class VirtualFifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size() - head_; }
  [[nodiscard]] T& front() { return items_[head_]; }

  void push(const T& item) { items_.push_back(item); }

  /// Inserts `item` before all items at the end for which `after(item)` holds.
  template <typename After>
  void insert(const T& item, After after) {
    std::size_t place = items_.size();
    items_.push_back(item);
    while (place > head_ && after(items_[place - 1])) {
      items_[place] = items_[place - 1];
      --place;
    }
    items_[place] = item;
  }

  void pop() {
    ++head_;
    if (empty()) {
      items_.clear();
      head_ = 0;
    } else if (head_ >= 64 && 2 * head_ >= items_.size()) {  // each item moves at most once on average
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace stretto::known_answers
