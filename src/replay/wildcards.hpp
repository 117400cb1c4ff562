// SPDX-License-Identifier: BSD-3-Clause
// How messages and receives meet at a rank with wildcard receives: as MPI matches, the receive that was
// posted first of those that fit a message, the message that came first of those that fit a receive.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "replay/schedule.hpp"

namespace stretto::replay {

class WildcardMatcher {
 public:
  /// A message has come: the receive that takes it, or no_operation (it waits here).
  OperationId arrive(OperationId message, std::uint32_t source, std::uint32_t tag);
  /// A receive is posted; `source` and `tag` may be `any`: the message that it takes, or no_operation.
  OperationId post(OperationId receive, std::uint32_t source, std::uint32_t tag);

 private:
  struct Entry {
    std::uint32_t age;
    OperationId operation;
  };
  using Queues = std::unordered_map<std::uint64_t, std::deque<Entry>>;

  Queues posted_;            // by what the receive says
  Queues messages_;          // by each of the four things that a receive could say of them
  std::vector<bool> taken_;  // messages by age: they leave only the queue in which they were found at once
  std::uint32_t posts_ = 0;
};

}  // namespace stretto::replay
