// SPDX-License-Identifier: BSD-3-Clause
// What the application has outstanding, as its wrapped calls count it and the progress thread reads it. A
// count may be wrong for a while (a persistent request that is waited for twice counts twice): too low costs
// progress, too high costs polls, and nothing else depends on it. Knows no MPI.
#pragma once

#include <atomic>
#include <cstdint>

namespace stretto::progress {

class Activity {
 public:
  /// `count` requests have been started.
  void started(int count) {
    starts_.fetch_add(count, std::memory_order_relaxed);
    if (outstanding_.fetch_add(count, std::memory_order_relaxed) < 0) {
      outstanding_.store(count, std::memory_order_relaxed);
    }
    if (asleep_.load(std::memory_order_relaxed)) wake();
  }

  /// `count` requests have completed, or were given up.
  void completed(int count) { outstanding_.fetch_sub(count, std::memory_order_relaxed); }

  void window_opened() {
    windows_.fetch_add(1, std::memory_order_relaxed);
    if (asleep_.load(std::memory_order_relaxed)) wake();
  }
  void window_closed() { windows_.fetch_sub(1, std::memory_order_relaxed); }

  /// A thread of the application has entered a call that makes progress by itself, or left it.
  void entered() { inside_.fetch_add(1, std::memory_order_relaxed); }
  void left() { inside_.fetch_sub(1, std::memory_order_relaxed); }

  /// Whether a call of the application drives progress now.
  [[nodiscard]] bool inside() const { return inside_.load(std::memory_order_relaxed) > 0; }
  [[nodiscard]] bool outstanding() const { return outstanding_.load(std::memory_order_relaxed) > 0; }
  /// Whether other ranks may access memory of this one.
  [[nodiscard]] bool windows() const { return windows_.load(std::memory_order_relaxed) > 0; }
  /// Requests started until now.
  [[nodiscard]] std::int64_t starts() const { return starts_.load(std::memory_order_relaxed); }

  /// The progress thread sleeps until something starts, or no longer. The store and the counts of started()
  /// are not ordered: such a sleep must have an end of its own.
  void set_asleep(bool asleep) { asleep_.store(asleep, std::memory_order_relaxed); }

  /// Called by the thread that starts something while the progress thread is asleep.
  void on_wake(void (*function)(void*), void* argument) {
    wake_argument_ = argument;
    wake_ = function;
  }

 private:
  void wake() {
    if (wake_ != nullptr && asleep_.exchange(false, std::memory_order_relaxed)) wake_(wake_argument_);
  }

  std::atomic<std::int64_t> starts_{0};
  std::atomic<std::int64_t> outstanding_{0};
  std::atomic<int> inside_{0};
  std::atomic<int> windows_{0};
  std::atomic<bool> asleep_{false};
  void (*wake_)(void*) = nullptr;
  void* wake_argument_ = nullptr;
};

/// The one of this process. Static storage without a constructor that runs: calls may come before it.
inline constinit Activity activity;

}  // namespace stretto::progress
