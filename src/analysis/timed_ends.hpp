// SPDX-License-Identifier: BSD-3-Clause
// The ends of a rank's messages, with the time of each: the begin of a send, the end of the call that
// completed a receive.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/event.hpp"
#include "analysis/message_table.hpp"
#include "analysis/rank_messages.hpp"

namespace stretto::analysis {

class TimedEnds {
 public:
  /// The arguments must outlive this object.
  TimedEnds(const replay::TraceReader& reader, const std::vector<CallTraits>& traits, MessageTable& table)
      : traits_(traits), messages_(reader, table) {}

  /// Passes each end in a record to `use(end, time_ns)`. `event`: the record.
  template <typename Use>
  void take(std::uint32_t thread, const record::Record& record, const Event& event, const Use& use) {
    if (event.traits->is_call()) last_[thread] = record;
    const auto found = last_.find(thread);
    const record::Record& call = found == last_.end() ? record : found->second;
    messages_.take(event, Event(call, traits_), ends_);
    for (const MessageEnd& end : ends_) use(end, end.sends ? record::begin_ns(record) : record::end_ns(call));
    ends_.clear();
  }

 private:
  const std::vector<CallTraits>& traits_;
  RankMessages messages_;
  std::map<std::uint32_t, record::Record> last_;  // the last call of each thread
  std::vector<MessageEnd> ends_;
};

}  // namespace stretto::analysis
