// SPDX-License-Identifier: BSD-3-Clause
// The options of a runtime. All ranks must give the same.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace stretto {

/// How an operation reaches its target: loads and stores into node-local memory, MPI put and get, or a packed
/// request that the target's runtime serves.
enum class Path { direct, rma, message };

/// What makes progress: only calls that wait; every call; or a progress thread as well.
enum class Progress { none, poll, thread };

[[nodiscard]] std::string_view to_string(Path path);
[[nodiscard]] std::string_view to_string(Progress progress);

struct Options {
  /// Default: thread where MPI provides MPI_THREAD_MULTIPLE, else poll.
  std::optional<Progress> progress = std::nullopt;

  /// Puts and gets take this path and no other; for tests and probes. Default: each takes the best one.
  /// Accumulates, atomics and flags never take the rma path, because they do not use MPI's; rma does not
  /// affect them.
  std::optional<Path> path = std::nullopt;

  /// The path of contiguous puts and gets to ranks of other nodes: rma or message. Default: message under
  /// progress thread, rma under poll and none.
  std::optional<Path> contiguous = std::nullopt;

  /// Seconds between two polls of the progress thread, at most 1. 0: the profile's value, else 1 ms.
  double poll_interval_s = 0;

  /// Bytes of data in one request of the message path, from 256 to 2^30. 0: the profile's value, else 32 KiB.
  std::size_t segment_bytes = 0;

  /// Requests of the message path that may be outstanding from a rank, and the receives posted for them;
  /// twice as many replies may be. From 1 to 4096. 0: the profile's value, else 32.
  int outstanding = 0;

  /// Contexts of the message path, from 1 to 64: each has buffers and a lock of its own, and all operations
  /// between two ranks use the same one. Threads with targets of their own need as many as there are threads.
  /// 0: 1.
  int contexts = 0;

  /// Treats ranks as if nodes had no more than this, to test on one node what happens between nodes. 0: off.
  int node_ranks = 0;

  /// Seconds of waiting after which one line on stderr names the rank that has not answered. 0: never.
  double report_after_s = 10;

  /// Seconds of waiting after which the wait throws TimeoutError. 0: never. With a timeout, data is copied
  /// and never moved in place, so that late replies do not reach memory of the program.
  double timeout_s = 0;
};

}  // namespace stretto
