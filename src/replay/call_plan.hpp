// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a traced call in a schedule, by its name and kind (src/trace/calls.txt).
#pragma once

#include <cstdint>
#include <optional>

#include "replay/collective_rounds.hpp"
#include "replay/trace_file.hpp"

namespace stretto::replay {

/// What a record of a kind of calls becomes.
enum class CallKind : std::uint8_t {
  computation,  // its time counts as computed
  free,         // its time does not count, and nothing comes of it
  send,
  receive,
  both,
  matched_probe,
  matched_receive,
  partition,
  partitioned,
  collective,
  synchronising
};

struct CallPlan {
  CallKind kind = CallKind::computation;
  bool later = false;  // it ends with its request
  std::optional<Collective> collective;
  bool of_a_block = false;  // its bytes are those of one rank's part
};

[[nodiscard]] CallPlan plan_of(const TracedCall& call);

/// The collective of a record with a plan that has one.
[[nodiscard]] CollectiveCall collective_call(const CallPlan& plan, const record::Record& record,
                                             const TracedContext& context);

}  // namespace stretto::replay
