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
  /// Whether calls may come from several threads at once. A program that has not asked MPI for that makes one
  /// call at a time, and its counts need no locked instructions.
  void set_concurrent(bool concurrent) { concurrent_ = concurrent; }
  /// Whether the bytes of requests are counted, too, for the statistics.
  void set_detailed(bool detailed) { detailed_ = detailed; }
  [[nodiscard]] bool detailed() const { return detailed_; }

  /// `count` requests have been started.
  void started(int count) {
    add(starts_, count);
    const std::int64_t before = add(outstanding_, count);
    if (before <= 0) add(cycles_, 1);
    if (before < 0) outstanding_.store(count, std::memory_order_relaxed);
    if (asleep_.load(std::memory_order_relaxed)) wake();
  }

  /// `count` requests have completed, or were given up.
  void completed(int count) { add(outstanding_, -count); }

  void window_opened() {
    windows_.fetch_add(1, std::memory_order_relaxed);
    if (asleep_.load(std::memory_order_relaxed)) wake();
  }
  void window_closed() { windows_.fetch_sub(1, std::memory_order_relaxed); }

  /// A thread of the application has entered a call that makes progress by itself, or left it.
  void entered() { add(entered_, 1); }
  void left() { add(left_, 1); }
  /// The application has tested a request: it makes progress by itself.
  void tested() { add(tests_, 1); }

  /// Whether a call of the application drives progress now.
  [[nodiscard]] bool inside() const {
    const std::int64_t left = left_.load(std::memory_order_relaxed);
    return entered_.load(std::memory_order_relaxed) > left;
  }
  [[nodiscard]] bool outstanding() const { return outstanding_.load(std::memory_order_relaxed) > 0; }
  /// Whether other ranks may access memory of this one.
  [[nodiscard]] bool windows() const { return windows_.load(std::memory_order_relaxed) > 0; }
  /// Requests started until now.
  [[nodiscard]] std::int64_t starts() const { return starts_.load(std::memory_order_relaxed); }
  /// How often a request was started while none was outstanding.
  [[nodiscard]] std::int64_t cycles() const { return cycles_.load(std::memory_order_relaxed); }
  /// Tests until now.
  [[nodiscard]] std::int64_t tests() const { return tests_.load(std::memory_order_relaxed); }

  /// The progress thread sleeps until something starts, or no longer. The store and the counts of started()
  /// are not ordered: such a sleep must have an end of its own.
  void set_asleep(bool asleep) { asleep_.store(asleep, std::memory_order_relaxed); }

  /// Called by the thread that starts something while the progress thread is asleep.
  void on_wake(void (*function)(void*), void* argument) {
    wake_argument_ = argument;
    wake_ = function;
  }

 private:
  /// Adds `value`; returns the count before.
  std::int64_t add(std::atomic<std::int64_t>& count, std::int64_t value) const {
    if (concurrent_) return count.fetch_add(value, std::memory_order_relaxed);
    const std::int64_t before = count.load(std::memory_order_relaxed);
    count.store(before + value, std::memory_order_relaxed);
    return before;
  }

  void wake() {
    if (wake_ != nullptr && asleep_.exchange(false, std::memory_order_relaxed)) wake_(wake_argument_);
  }

  bool concurrent_ = true;
  bool detailed_ = false;
  std::atomic<std::int64_t> starts_{0};
  std::atomic<std::int64_t> cycles_{0};
  std::atomic<std::int64_t> outstanding_{0};
  std::atomic<std::int64_t> entered_{0};
  std::atomic<std::int64_t> left_{0};
  std::atomic<std::int64_t> tests_{0};
  std::atomic<int> windows_{0};
  std::atomic<bool> asleep_{false};
  void (*wake_)(void*) = nullptr;
  void* wake_argument_ = nullptr;
};

/// The one of this process. Static storage without a constructor that runs: calls may come before it.
inline constinit Activity activity;

}  // namespace stretto::progress
