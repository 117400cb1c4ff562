// SPDX-License-Identifier: BSD-3-Clause
// What the application has outstanding, as its wrapped calls count it and the progress thread reads it. A
// count may be wrong for a while (a persistent request that is waited for twice counts twice): too low costs
// progress, too high costs polls, and nothing else depends on it. Knows no MPI.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

namespace stretto::progress {

class Activity {
 public:
  /// Whether calls may come from several threads at once. A program that has not asked MPI for that makes one
  /// call at a time, and its counts need no locked instructions.
  void set_concurrent(bool concurrent) { concurrent_ = concurrent; }
  /// Whether the bytes of requests are counted, too, for the statistics.
  void set_detailed(bool detailed) { detailed_ = detailed; }
  [[nodiscard]] bool detailed() const { return detailed_; }
  /// There will be no progress thread: nothing needs to be counted.
  void set_unused() { used_.store(false, std::memory_order_relaxed); }
  [[nodiscard]] bool used() const { return used_.load(std::memory_order_relaxed); }

  /// A shorter message goes into the buffers of MPI and the kernel, and needs no progress: Open MPI sends up
  /// to 64 KiB over TCP at once, UCX all that the buffers take. A shorter collective takes less time after
  /// the computation than wake-ups would take from it.
  static constexpr std::int64_t long_message = 60'000;
  /// The buffers may not have space for more bytes than these in short messages.
  static constexpr std::int64_t many_bytes = 256 << 10;
  /// Of a request that needs progress, whatever it transfers.
  static constexpr std::int64_t any_size = std::numeric_limits<std::int64_t>::max() / 2;

  /// A request sends or receives a message, or it may have several steps, each of which waits for the one
  /// before, as collectives have.
  enum class Kind : std::uint8_t { message, steps };

  /// `count` requests have been started, each for at most `bytes`, or `any_size`.
  void started(Kind kind, int count, std::int64_t bytes) {
    add(starts_, count);
    const std::int64_t before = add(outstanding_, count);
    if (before <= 0) begin_cycle();
    if (before < 0) outstanding_.store(count, std::memory_order_relaxed);
    if (moves_by_itself(count, bytes)) return;
    if (kind == Kind::steps) has_steps_.store(true, std::memory_order_relaxed);
    needs_progress_.store(true, std::memory_order_relaxed);
    add(long_starts_, count);
    if (asleep_.load(std::memory_order_relaxed)) wake();
  }

  /// A persistent request for `bytes` has been made, or `any_size`.
  void prepared(Kind kind, std::int64_t bytes) {
    if (kind == Kind::steps) steps_prepared_.store(true, std::memory_order_relaxed);
    if (bytes > largest_prepared_.load(std::memory_order_relaxed))
      largest_prepared_.store(bytes, std::memory_order_relaxed);
  }
  /// `count` persistent requests have been started.
  void restarted(int count) {
    const bool steps = steps_prepared_.load(std::memory_order_relaxed);
    started(steps ? Kind::steps : Kind::message, count, largest_prepared_.load(std::memory_order_relaxed));
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
  /// Whether any of the outstanding requests needs progress. Those that were started since none was
  /// outstanding are judged together, so that their completions need no sizes.
  [[nodiscard]] bool needs_progress() const {
    return outstanding() && needs_progress_.load(std::memory_order_relaxed);
  }
  /// Whether any of those that need progress has several steps.
  [[nodiscard]] bool has_steps() const { return has_steps_.load(std::memory_order_relaxed); }
  /// Whether other ranks may access memory of this one.
  [[nodiscard]] bool windows() const { return windows_.load(std::memory_order_relaxed) > 0; }
  /// Requests started until now.
  [[nodiscard]] std::int64_t starts() const { return starts_.load(std::memory_order_relaxed); }
  /// Of those, the ones that needed progress.
  [[nodiscard]] std::int64_t long_starts() const { return long_starts_.load(std::memory_order_relaxed); }
  /// How often a request was started while none was outstanding.
  [[nodiscard]] std::int64_t cycles() const { return cycles_.load(std::memory_order_relaxed); }
  /// Tests until now.
  [[nodiscard]] std::int64_t tests() const { return tests_.load(std::memory_order_relaxed); }

  /// The progress thread sleeps until something starts that needs it, or no longer. The store and the counts
  /// of started() are not ordered: such a sleep must have an end of its own.
  void set_asleep(bool asleep) { asleep_.store(asleep, std::memory_order_relaxed); }

  /// Called by the thread that starts something while the progress thread is asleep.
  void on_wake(void (*function)(void*), void* argument) {
    wake_argument_ = argument;
    wake_ = function;
  }

 private:
  bool moves_by_itself(int count, std::int64_t bytes) {
    if (bytes >= long_message) return false;
    const std::int64_t all = count * bytes;
    return add(short_bytes_, all) + all < many_bytes;
  }

  void begin_cycle() {
    add(cycles_, 1);
    short_bytes_.store(0, std::memory_order_relaxed);
    needs_progress_.store(false, std::memory_order_relaxed);
    has_steps_.store(false, std::memory_order_relaxed);
  }

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
  std::atomic<bool> used_{true};
  std::atomic<std::int64_t> starts_{0};
  std::atomic<std::int64_t> long_starts_{0};
  std::atomic<std::int64_t> cycles_{0};
  std::atomic<std::int64_t> outstanding_{0};
  std::atomic<std::int64_t> short_bytes_{0};  // of this cycle
  std::atomic<std::int64_t> largest_prepared_{0};
  std::atomic<bool> steps_prepared_{false};
  std::atomic<bool> needs_progress_{false};
  std::atomic<bool> has_steps_{false};
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
