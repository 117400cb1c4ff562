// SPDX-License-Identifier: BSD-3-Clause
// Messages that MPI_Mprobe or MPI_Improbe has matched and that are not received yet, by their handles.
// Any thread may receive them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "record/trace_format.hpp"
#include "trace/requests.hpp"

namespace stretto::trace {

struct MatchedMessage {
  std::uint32_t number = 0;  ///< the number of the message, assigned when it was probed; 0: unknown
  std::uint16_t context = record::no_context;
  std::int32_t peer = record::no_peer;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
};

class Matched {
 public:
  void add(MPI_Message handle, const MatchedMessage& message) {
    const std::scoped_lock held(mutex_);
    messages_[key_of(handle)] = message;
  }

  /// Removes and returns the message: MPI may reuse its handle from now on.
  [[nodiscard]] MatchedMessage take(MPI_Message handle) {
    const std::scoped_lock held(mutex_);
    const auto found = messages_.find(key_of(handle));
    if (found == messages_.end()) return {};
    const MatchedMessage message = found->second;
    messages_.erase(found);
    return message;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, MatchedMessage> messages_;
};

}  // namespace stretto::trace
