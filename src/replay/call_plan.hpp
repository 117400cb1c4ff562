// SPDX-License-Identifier: BSD-3-Clause
// The role of a traced call in a schedule, by its name and kind (src/interpose/calls.txt).
#pragma once

#include <cstdint>
#include <optional>

#include "replay/collective_rounds.hpp"
#include "replay/one_sided_calls.hpp"
#include "replay/trace_file.hpp"

namespace stretto::replay {

/// The role of a record.
enum class CallKind : std::uint8_t {
  computation,  // its time counts as computation
  free,         // its time does not count, and it adds no operation
  send,
  receive,
  both,
  matched_probe,
  matched_receive,
  partition,
  partitioned,
  collective,
  synchronising,
  one_sided
};

struct CallPlan {
  CallKind kind = CallKind::computation;
  bool nonblocking = false;  // it completes with its request
  std::optional<Collective> collective;
  bool per_block = false;  // its bytes are those of one rank's block
  const OneSidedCall* one_sided = nullptr;
};

[[nodiscard]] CallPlan plan_of(const TracedCall& call);

/// The collective call of a record, for a plan that has a collective.
[[nodiscard]] CollectiveCall collective_call(const CallPlan& plan, const record::Record& record,
                                             const TracedContext& context,
                                             const TraceDefinitions& definitions);

}  // namespace stretto::replay
