// SPDX-License-Identifier: BSD-3-Clause
// A fixed number of equal buffers, from MPI's own allocator so that a network may have them registered.
#pragma once

#include <cstddef>
#include <vector>

namespace stretto::rma {

class PacketPool {
 public:
  /// `first_request` is the place of slot 0's request among all requests of the engine. Without bytes a slot
  /// is only its request.
  PacketPool(int slots, std::size_t slot_bytes, std::size_t first_request);
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;
  ~PacketPool();

  [[nodiscard]] bool is_empty() const { return free_.empty(); }
  [[nodiscard]] std::size_t available() const { return free_.size(); }
  [[nodiscard]] bool is_idle() const { return free_.size() == static_cast<std::size_t>(slots_); }
  /// A free slot. There is one.
  [[nodiscard]] int take();
  void give_back(int slot) {
    free_.push_back(slot);
    turn_over();
  }

  /// A buffer is done with, and given back or used again.
  void turn_over() { ++turned_over_; }
  void count_anew() { turned_over_ = 0; }
  /// How many were, over how many there are.
  [[nodiscard]] double turnover() const { return static_cast<double>(turned_over_) / slots_; }

  [[nodiscard]] std::byte* buffer(int slot) const {
    return memory_ + static_cast<std::size_t>(slot) * slot_bytes_;
  }
  [[nodiscard]] std::size_t request(int slot) const {
    return first_request_ + static_cast<std::size_t>(slot);
  }
  /// One past the places of its requests.
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
  std::byte* memory_ = nullptr;
  std::vector<int> free_;
  int turned_over_ = 0;
};

}  // namespace stretto::rma
