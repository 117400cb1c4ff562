// SPDX-License-Identifier: BSD-3-Clause
// Opaque work, counted and never timed: a loop that a clock bounds cannot see stolen cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stretto::measure {

/// What the work is bound by: the core alone, its private cache, or the memory that all cores share.
enum class WorkKind { registers, cache, stream };

[[nodiscard]] std::string_view to_string(WorkKind kind);
[[nodiscard]] std::optional<WorkKind> work_kind_from(std::string_view name);

/// Somebody who works: the processor itself, a simulated host, or a virtual one.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  /// Does `count` units of work; the time that it takes is linear in `count`.
  virtual void work(WorkKind kind, std::uint64_t count) = 0;
};

}  // namespace stretto::measure
