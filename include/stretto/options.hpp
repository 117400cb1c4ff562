// SPDX-License-Identifier: BSD-3-Clause
// What can be chosen when a runtime is made. All ranks must give the same.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace stretto {

/// How an operation reaches its target: loads and stores into a neighbour's memory, MPI put and get, or a
/// packed request that the target's runtime serves.
enum class Path { direct, rma, message };

/// Who makes communication go on: only calls that wait; every call; or a paced helper thread besides.
enum class Progress { none, poll, thread };

[[nodiscard]] std::string_view to_string(Path path);
[[nodiscard]] std::string_view to_string(Progress progress);

struct Options {
  /// Not given: thread where MPI gives MPI_THREAD_MULTIPLE, else poll.
  std::optional<Progress> progress = std::nullopt;

  /// Puts and gets take this path and no other; for tests and probes. Not given: each takes the best.
  /// Accumulates, atomics and flags are not MPI's on any path: forced to rma they go as if nothing was
  /// forced.
  std::optional<Path> path = std::nullopt;

  /// What contiguous puts and gets take to ranks whose memory is not shared: rma or message.
  /// Not given: message under thread, rma under poll and none.
  std::optional<Path> contiguous = std::nullopt;

  /// Seconds between two polls of the helper thread. 0: what this machine's profile says, else 1 ms.
  double pace_s = 0;

  /// Bytes that one request of the message path carries. 0: what the profile says, else 32 KiB.
  std::size_t segment_bytes = 0;

  /// Requests of the message path that may be under way from a rank, and receives that wait for them; of
  /// replies there may be twice as many. 0: what the profile says, else 32.
  int outstanding = 0;

  /// Pretends that nodes have no more ranks than this, to test on one node what happens between nodes. 0: no.
  int node_ranks = 0;

  /// After so many seconds of waiting, one line on stderr names the rank waited for. 0: never.
  double report_after_s = 10;

  /// After so many seconds of waiting, the wait throws TimeoutError. 0: never.
  double timeout_s = 0;
};

}  // namespace stretto
