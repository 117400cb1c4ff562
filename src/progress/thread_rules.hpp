// SPDX-License-Identifier: BSD-3-Clause
// When libstretto_progress.so starts a thread, how often that polls, and what the library sets for an MPI.
// Knows no MPI: `stretto gain` asks the same rules before a run.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace stretto::progress {

/// The interval between polls in seconds; where it is set, a thread is started on any number of cores.
inline constexpr const char* interval_variable = "STRETTO_POLL_INTERVAL_S";

/// The beginning of the line on the standard error that says why there is no thread.
inline constexpr const char* no_thread = "stretto: no progress thread: ";

/// The ranks of a host, and the cores that they may run on.
struct HostPlacement {
  int ranks = 0;
  int cores = 0;
  bool only_host = false;  ///< all ranks are here, so that no message needs a network

  /// Whether there are fewer cores than ranks or, on the only host, than two for each rank. There a thread
  /// without a core of its own only takes time from the ranks.
  [[nodiscard]] bool too_few_cores() const;
  /// The reason where there are.
  [[nodiscard]] std::string why_none() const;
  /// The time between polls where the user gives none. On one host it is longer: a core copies each message
  /// there, so that little is gained, and polls cost.
  [[nodiscard]] std::chrono::nanoseconds usual_interval() const;
};

/// The interval as a value of `interval_variable`, in any locale.
[[nodiscard]] std::string in_seconds(std::chrono::nanoseconds interval);

/// The interval that a value of `interval_variable` gives; nullopt where it is no number of seconds from
/// 0.00001 to 1.
[[nodiscard]] std::optional<std::chrono::nanoseconds> poll_interval(std::string_view text);

/// A variable of an MPI's environment.
struct MpiVariable {
  const char* family;
  const char* name;
  const char* value;
};

/// The variables that make the two directions of a bidirectional TCP transfer overlap. Where a large message
/// is put into the receiver's memory, the receiver requests it by a control message. This message queues
/// behind the data that the rank has written to the socket. The directions are then serialised when one rank
/// is ahead. Without puts, they seldom are.
inline constexpr MpiVariable mpich_without_puts{"mpich", "UCX_TCP_PUT_ENABLE", "n"};
inline constexpr MpiVariable open_mpi_without_puts{"openmpi", "OMPI_MCA_btl_tcp_flags",
                                                   "9"};  // send (1), in place (8)
inline constexpr std::array without_puts{mpich_without_puts, open_mpi_without_puts};

}  // namespace stretto::progress
