// SPDX-License-Identifier: BSD-3-Clause
// Which operations a request handle stands for. An MPI may return one handle for several operations that
// complete immediately, and reuses handles that it has freed. So each handle has a queue of operations,
// oldest first.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "memory/watch.hpp"

namespace stretto::trace {

/// The handle as an integer key, for any handle type of the MPI library.
template <typename Handle>
std::uint64_t key_of(Handle handle) {
  std::uint64_t key = 0;
  // NOLINTBEGIN(bugprone-sizeof-expression): some MPIs have pointers as handles, and the pointer is the key
  static_assert(sizeof handle <= sizeof key);
  std::memcpy(&key, &handle, sizeof handle);
  // NOLINTEND(bugprone-sizeof-expression)
  return key;
}

/// The operation that starting a request begins; stored in a `started` record's `count`.
enum class Starts : std::uint8_t { send, receive, collective, partitioned_send, partitioned_receive };

struct Pending {
  std::uint32_t number = 0;  ///< 0: unknown
  std::uint16_t context = 0;
  bool wildcard = false;          ///< a receive with a wildcard; its status gives source or tag
  bool cancel_requested = false;  ///< MPI_Cancel was called; the status says whether it succeeded
  std::uint64_t max_bytes = 0;    ///< of a receive: the size of its buffer; its status has the message's size

  [[nodiscard]] bool needs_status() const { return wildcard || cancel_requested || max_bytes > 0; }
};

/// A persistent operation, which may start many times.
struct Persistent {
  Starts starts = Starts::send;
  std::uint16_t call = 0;
  std::uint16_t context = 0;
  std::int32_t peer = 0;
  std::int32_t tag = 0;  ///< of a collective: its number among the persistent ones of its communicator
  std::uint64_t bytes = 0;
  std::uint64_t received = 0;  ///< by a collective
  memory::Data data;           ///< empty: it is not watched
  std::uint32_t partitions = 0;
  std::uint32_t active = 0;       ///< number of the active start; 0: none
  bool cancel_requested = false;  ///< MPI_Cancel was called on the active start
};

class Requests {
 public:
  /// Registers an operation for `handle`; returns its number.
  std::uint32_t add(MPI_Request handle, std::uint16_t context, bool wildcard, std::uint64_t max_bytes = 0);
  /// The same for an operation that already has a number.
  void add_numbered(MPI_Request handle, std::uint16_t context, std::uint32_t number);
  /// Removes and returns the oldest operation of this handle, which is complete; a persistent one becomes
  /// inactive.
  [[nodiscard]] Pending take(MPI_Request handle);

  /// Returns a number for a message that has no request.
  [[nodiscard]] std::uint32_t next_number() {
    const auto held = lock();
    return ++last_number_;
  }

  void add_persistent(MPI_Request handle, const Persistent& persistent);
  /// Null when `handle` is not persistent.
  [[nodiscard]] const Persistent* persistent(MPI_Request handle);
  /// Null when `handle` is not persistent. Its `active` is a new number.
  [[nodiscard]] const Persistent* start(MPI_Request handle);
  [[nodiscard]] std::uint32_t active_number(MPI_Request handle);
  /// Removes and returns a persistent operation.
  [[nodiscard]] std::optional<Persistent> take_persistent(MPI_Request handle);
  /// Whether MPI_Cancel was called on the operation.
  [[nodiscard]] bool is_cancel_requested(MPI_Request handle);
  /// Notes MPI_Cancel: the operation may be over without having happened. Its number; 0: none.
  std::uint32_t request_cancel(MPI_Request handle);

  /// Whether statuses of some operations are needed.
  [[nodiscard]] bool needs_statuses() const { return status_needed_ > 0; }
  /// Enables locking, because several threads may call MPI at once.
  void be_shared() { shared_ = true; }

 private:
  // A table of our own, because std::unordered_multimap promises no order of equal keys and allocates in each
  // call. Adding and taking an operation took 22 to 27 ns with it, and takes 17 to 18 ns here.
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  struct Node {
    std::uint64_t key = 0;
    Pending pending;
    std::uint32_t next = none;
  };

  [[nodiscard]] std::unique_lock<std::mutex> lock() {
    return shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }
  [[nodiscard]] std::uint32_t& bucket(std::uint64_t key) {
    return buckets_[(key * 0x9E3779B97F4A7C15U) >> shift_];
  }
  [[nodiscard]] Persistent* persistent_of(std::uint64_t key) {
    if (persistent_.empty()) return nullptr;
    const auto found = persistent_.find(key);
    return found == persistent_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::uint32_t node_of(std::uint64_t key);
  void add_pending(MPI_Request handle, const Pending& pending);
  Pending take_pending(std::uint64_t key);
  void append(std::uint32_t node);
  void grow();

  std::mutex mutex_;
  bool shared_ = false;
  std::uint32_t last_number_ = 0;
  std::uint32_t status_needed_ = 0;
  std::uint32_t spare_ = none;
  std::uint32_t live_ = 0;
  unsigned shift_ = 64 - 8;
  std::vector<std::uint32_t> buckets_ = std::vector<std::uint32_t>(256, none);
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, Persistent> persistent_;
};

}  // namespace stretto::trace
