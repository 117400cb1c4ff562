// SPDX-License-Identifier: BSD-3-Clause
// Computation by a fixed iteration count, never timed: a loop that a clock bounds cannot see stolen cycles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "measure/named.hpp"

namespace stretto::measure {

/// What bounds the computation: the core alone, its private cache, or the memory that all cores share.
enum class WorkKind { registers, cache, stream };

inline constexpr WorkKind all_work_kinds[] = {WorkKind::registers, WorkKind::cache, WorkKind::stream};

constexpr std::array<std::string_view, 3> names_of(WorkKind /*type*/) {
  return {"register", "cache", "stream"};
}

/// What computes: the processor itself, a simulated host, or a virtual one.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  /// Computes `count` iterations; the time is linear in `count`.
  virtual void work(WorkKind kind, std::uint64_t count) = 0;

  /// Whether the computation is carried out, and does not only take simulated time.
  [[nodiscard]] virtual bool real() const { return true; }

  /// Calls `body`. A machine that is not real lets as much time pass as a core at its peak needs for
  /// `peak_flops`, because the body takes none there.
  virtual void compute(double peak_flops, const std::function<void()>& body) = 0;
};

/// The floating-point operations of one iteration on a simulated or virtual machine.
inline constexpr double flops_per_count = 64;

/// The processor that this thread runs on. An iteration takes some tens of nanoseconds:
/// registers: 16 dependent multiply-adds; cache: 16 loads from a buffer of 128 KiB; stream: 256 bytes
/// read and written of a buffer four times as large as the last-level cache (32 to 512 MiB, allocated at
/// the first use; throws std::bad_alloc).
class CountedWorker final : public Worker {
 public:
  CountedWorker();
  ~CountedWorker() override;
  void work(WorkKind kind, std::uint64_t count) override;
  void compute(double /*peak_flops*/, const std::function<void()>& body) override { body(); }

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace stretto::measure
