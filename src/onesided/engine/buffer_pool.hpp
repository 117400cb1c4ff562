// SPDX-License-Identifier: BSD-3-Clause
// A fixed number of equal buffers. MPI allocates them, so that it can register them with the network.
#pragma once

#include <cstddef>
#include <vector>

#include "mpi/memory.hpp"

namespace stretto::onesided {

class BufferPool {
 public:
  /// `first_request` is the index of slot 0's request among all requests of the engine. With `slot_bytes` 0 a
  /// slot is a request without a buffer.
  BufferPool(int slots, std::size_t slot_bytes, std::size_t first_request);
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Allocates the buffers. Throws std::bad_alloc.
  void allocate();

  [[nodiscard]] bool is_empty() const { return free_.empty(); }
  [[nodiscard]] std::size_t available() const { return free_.size(); }
  [[nodiscard]] bool is_idle() const { return free_.size() == static_cast<std::size_t>(slots_); }
  /// Takes a free slot; there must be one.
  [[nodiscard]] int take();
  void release(int slot) {
    free_.push_back(slot);
    count_turnover();
  }

  /// Counts the end of a buffer's use, whether it is released or used again.
  void count_turnover() { ++turnovers_; }
  void reset_turnover() { turnovers_ = 0; }
  /// The counted buffers, as a share of all.
  [[nodiscard]] double turnover() const { return static_cast<double>(turnovers_) / slots_; }

  [[nodiscard]] std::byte* buffer(int slot) const {
    return memory_.get() + static_cast<std::size_t>(slot) * slot_bytes_;
  }
  [[nodiscard]] std::size_t request(int slot) const {
    return first_request_ + static_cast<std::size_t>(slot);
  }
  /// One past the index of its last request.
  [[nodiscard]] std::size_t end_of_requests() const {
    return first_request_ + static_cast<std::size_t>(slots_);
  }
  [[nodiscard]] bool owns_request(std::size_t request) const {
    return request >= first_request_ && request < end_of_requests();
  }
  [[nodiscard]] int slot_of(std::size_t request) const { return static_cast<int>(request - first_request_); }
  [[nodiscard]] int slots() const { return slots_; }

 private:
  int slots_;
  std::size_t slot_bytes_;
  std::size_t first_request_;
  mpi::Memory memory_;
  std::vector<int> free_;
  int turnovers_ = 0;
};

}  // namespace stretto::onesided
