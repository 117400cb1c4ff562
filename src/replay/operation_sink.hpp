// SPDX-License-Identifier: BSD-3-Clause
// Where the operations of a rank and their dependencies go: into a schedule, into a replay that reads on as
// it goes, or only into their number.
#pragma once

#include <cstdint>

namespace stretto::replay {

struct ScheduleOperation;

class OperationSink {
 public:
  virtual ~OperationSink() = default;

  /// Adds an operation; returns its number within its rank. Throws ScheduleError for too many operations,
  /// or too large an amount.
  virtual std::uint32_t add(const ScheduleOperation& operation) = 0;
  /// `later` does not start before `earlier` has ended (require) or started (require_start). Both are
  /// numbers within the rank.
  virtual void require(std::uint32_t later, std::uint32_t earlier) = 0;
  virtual void require_start(std::uint32_t later, std::uint32_t earlier) = 0;
};

}  // namespace stretto::replay
