// SPDX-License-Identifier: BSD-3-Clause
// The atomics and locks of the runtime: those of the language, and in a build with STRETTO_DELAY ones that
// give up the processor at random before and after each access. All of the runtime uses these. Knows no MPI.
#pragma once

#include <atomic>
#include <mutex>

#include "mpi/delay.hpp"

namespace stretto::onesided {

#ifdef STRETTO_DELAY

template <typename T>
class Atomic {
 public:
  constexpr Atomic() = default;
  constexpr Atomic(T value) : value_(value) {}  // as std::atomic
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  operator T() const { return load(); }
  T operator=(T value) {
    store(value);
    return value;
  }
  T operator++() { return fetch_add(1) + 1; }
  T operator++(int) { return fetch_add(1); }
  T operator--() { return fetch_sub(1) - 1; }
  T operator+=(T more) { return fetch_add(more) + more; }

  [[nodiscard]] T load(std::memory_order order = std::memory_order_seq_cst) const {
    return around([&] { return value_.load(order); });
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    around([&] { return value_.store(value, order), 0; });
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    return around([&] { return value_.exchange(value, order); });
  }
  T fetch_add(T more, std::memory_order order = std::memory_order_seq_cst) {
    return around([&] { return value_.fetch_add(more, order); });
  }
  T fetch_sub(T less, std::memory_order order = std::memory_order_seq_cst) {
    return around([&] { return value_.fetch_sub(less, order); });
  }
  bool compare_exchange_weak(T& expected, T value) {
    return around([&] { return value_.compare_exchange_weak(expected, value); });
  }

 private:
  template <typename Access>
  static auto around(Access&& access) {
    mpi::delay_point();
    const auto result = access();
    mpi::delay_point();
    return result;
  }

  std::atomic<T> value_{};
};

class Mutex {
 public:
  void lock() {
    mpi::delay_point();
    mutex_.lock();
    mpi::delay_point();
  }
  bool try_lock() {
    mpi::delay_point();
    return mutex_.try_lock();
  }
  void unlock() {
    mpi::delay_point();
    mutex_.unlock();
    mpi::delay_point();
  }

 private:
  std::mutex mutex_;
};

#else

template <typename T>
using Atomic = std::atomic<T>;
using Mutex = std::mutex;

#endif

}  // namespace stretto::onesided
