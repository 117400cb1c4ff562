// SPDX-License-Identifier: BSD-3-Clause
// A Paraver trace (`.prv`) as text: its header and communicators, then a record a line, numbers between
// colons: 1 states, 2 events, 3 communications. Applications, tasks and threads count from 1.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::foreign {

namespace paraver {

// Types of the events that begin and end calls of MPI; their value names the call, 0 ends it.
inline constexpr std::int64_t point_to_point = 50000001;
inline constexpr std::int64_t collective_call = 50000002;
inline constexpr std::int64_t last_call = 50000005;
constexpr bool is_call(std::int64_t type) { return type >= point_to_point && type <= last_call; }
// Types of the events at the begin of a call: of a collective, and of its site.
inline constexpr std::int64_t sent_bytes = 50100001;
inline constexpr std::int64_t received_bytes = 50100002;
inline constexpr std::int64_t is_root = 50100003;
inline constexpr std::int64_t communicator = 50100004;
inline constexpr std::int64_t caller = 70000001;
inline constexpr std::int64_t caller_line = 80000001;

constexpr bool is_read(std::int64_t type) {
  return is_call(type) || (type >= sent_bytes && type <= communicator) || type == caller ||
         type == caller_line;
}

}  // namespace paraver

struct ParaverHeader {
  std::uint64_t ns = 0;             ///< in a unit of time
  std::vector<std::int64_t> tasks;  ///< of each application
  /// Ranks, by application and communicator; some may be none of its tasks.
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> members;
};

struct ParaverEvent {
  std::int64_t application, task, thread, time, type, value;
};

/// The numbers of a communication.
using ParaverCommunication = std::array<std::int64_t, 15>;

/// Throws Damaged.
[[nodiscard]] ParaverHeader paraver_header(std::string_view trace);

/// Calls `event` with each event of a type above, and `communication`, if there is one, with each
/// communication. Throws Damaged, also where the last line has no end.
void read_paraver(std::string_view trace, const std::function<void(const ParaverEvent&)>& event,
                  const std::function<void(const ParaverCommunication&)>& communication = {});

}  // namespace stretto::foreign
