// SPDX-License-Identifier: BSD-3-Clause
// Matches messages and receives at a rank with wildcard receives, by MPI's rules. A message matches the
// earliest posted receive that fits, and a receive the earliest message that fits.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "replay/schedule.hpp"

namespace stretto::replay {

class WildcardMatcher {
 public:
  /// A message has arrived. Returns the matching receive, or no_operation (the message is queued).
  OperationId arrive(OperationId message, std::uint32_t source, std::uint32_t tag);
  /// A receive is posted; `source` and `tag` may be `any`. Returns the matching message, or no_operation.
  OperationId post(OperationId receive, std::uint32_t source, std::uint32_t tag);

 private:
  struct Entry {
    std::uint32_t age;
    OperationId operation;
  };
  using Queues = std::unordered_map<std::uint64_t, std::deque<Entry>>;

  Queues posted_;            // by the source and tag of the receive
  Queues messages_;          // by each of the four combinations of source and tag that a receive can name
  std::vector<bool> taken_;  // messages by age; a matched message leaves only one of its queues at once
  std::uint32_t posts_ = 0;
};

}  // namespace stretto::replay
