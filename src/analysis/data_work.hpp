// SPDX-License-Identifier: BSD-3-Clause
// Independent and dependent work of messages' data, with their periods and orders.
//
// The terms are those of Sancho et al., slides 6 to 12. Times are *computed* seconds: they exclude the time
// that a thread spends in MPI calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sums.hpp"

namespace stretto::analysis {

/// The computed time of a thread at times of its past; calls are added in their order. A bounded number of
/// calls is remembered: older data counts as being as old as the first of them.
class ComputedTime {
 public:
  /// Adds a call, during which the thread computes nothing.
  void add_call(double begin_s, double end_s);
  /// Seconds computed until `time_s`.
  [[nodiscard]] double at(double time_s) const;
  /// Seconds computed until the end of the last call before `time_s`.
  [[nodiscard]] double call_before(double time_s) const;

 private:
  struct Call {
    double begin_s;
    double end_s;
    double computed_s;
  };
  /// The last call that began by then; null: none did.
  [[nodiscard]] const Call* last_at(double time_s) const;

  std::vector<Call> calls_;
};

/// Accesses of a rank to one part of a message, in computed seconds. On the producer the last store to the
/// part and the earliest of the last stores to its bytes; on the consumer the first load and the latest first
/// load.
struct PartTouched {
  std::uint32_t part;
  double time_s;
  double other_end_s;
};

/// Adds a message with its touched parts, of which there is one at least. `call_s`: the send, or the end of
/// the call that received the message. `phase_s`: the end of the call before the first access.
void add_message(DataWork& work, const std::vector<PartTouched>& parts, double call_s, double phase_s,
                 bool produces, std::int64_t all_parts);

}  // namespace stretto::analysis
