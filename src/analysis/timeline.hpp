// SPDX-License-Identifier: BSD-3-Clause
// The beginning of a trace, for a picture: the calls of each thread, and the messages between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "analysis/sums.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

/// Times in ns on the trace's clock.
struct Timeline {
  /// `call` and `place` are numbers in the tables of the timeline.
  struct Span {
    std::uint64_t begin_ns = 0;
    std::uint64_t duration_ns = 0;
    std::size_t call = 0;
    std::size_t place = 0;
    std::int32_t peer = 0;
    std::uint64_t size_bytes = 0;
  };
  /// A thread of a rank with its calls in order.
  struct Lane {
    std::uint32_t rank = 0;
    std::uint32_t thread = 0;
    std::vector<Span> spans;
  };
  /// From the begin of the send to the end of the call that completed the receive.
  struct Message {
    std::size_t from_lane = 0;
    std::size_t to_lane = 0;
    std::uint64_t sent_ns = 0;
    std::uint64_t received_ns = 0;
    std::uint64_t size_bytes = 0;
    std::int32_t tag = 0;
    std::vector<std::uint64_t> produced_ns;  ///< when the parts of its data were, as far as that is known
    std::vector<std::uint64_t> consumed_ns;
  };

  std::vector<replay::TracedCall> calls;
  std::vector<Place> places;
  std::vector<Lane> lanes;
  std::vector<Message> messages;  ///< both ends of which are shown
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  bool whole = true;  ///< no call comes later
};

/// The beginning of a trace with about `max_calls` calls, the same interval of all ranks. Throws TraceError.
[[nodiscard]] Timeline timeline_of(const std::vector<std::filesystem::path>& files, std::size_t max_calls);

}  // namespace stretto::analysis
