// SPDX-License-Identifier: BSD-3-Clause
// The registry of transports for probes and kernels. A new transport needs a source file with its functions,
// their declarations here, and a line in the table.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stretto/options.hpp>
#include <stretto/transport.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/exchange.hpp"

namespace stretto::exchange {

class MpiTeam;

using Channels = std::vector<std::unique_ptr<Channel>>;

/// Parameters of a probe run for a transport. A transport ignores the members that do not concern it.
struct ChannelRequest {
  MPI_Comm communicator = MPI_COMM_NULL;
  MpiTeam& team;
  std::span<const ProgressMode> progress;
  std::span<const std::string> paths;  ///< paths of the runtime; empty: the runtime chooses
  double poll_interval_s = 0;
  std::size_t segment_bytes = 0;

  [[nodiscard]] bool asks_for(ProgressMode mode) const {
    return std::ranges::find(progress, mode) != progress.end();
  }
};

/// Parameters of a kernel for a transport: memory for the exchanges of a team.
struct ArenaRequest {
  const Team& team;
  Runtime& runtime;
  std::size_t memory_bytes = 0;
  std::size_t flags = 0;  ///< sum over all exchanges of their groups and the ranks of their teams
};

// The channels duplicate `parent`, all but the runtime's when they are made. Collective.
[[nodiscard]] std::unique_ptr<Channel> two_sided_channel(MPI_Comm parent);
[[nodiscard]] std::unique_ptr<Channel> persistent_channel(MPI_Comm parent);
/// Null where the MPI has no partitioned communication.
[[nodiscard]] std::unique_ptr<Channel> partitioned_channel(MPI_Comm parent);
/// Why partitioned_channel() is null; empty where it is not.
[[nodiscard]] std::string_view partitioned_absence();
[[nodiscard]] std::unique_ptr<Channel> rma_channel(MPI_Comm parent);
[[nodiscard]] std::unique_ptr<Channel> request_channel(MPI_Comm parent);
/// Duplicates `parent` when it is opened. While it is open, a rank that waits for others of `team` makes
/// progress, as in a barrier of the runtime.
[[nodiscard]] std::unique_ptr<Channel> one_sided_channel(MPI_Comm parent, MpiTeam& team,
                                                         const Options& options);

/// The options of a runtime with a progress thread.
[[nodiscard]] Options thread_options(const ChannelRequest& request);

template <std::unique_ptr<Channel> (*make)(MPI_Comm)>
void add_channel(const ChannelRequest& request, Channels& channels) {
  if (std::unique_ptr<Channel> channel = make(request.communicator)) channels.push_back(std::move(channel));
}
/// Adds one channel for each path, without a progress thread or with one, as the progress modes require.
void add_one_sided_channels(const ChannelRequest& request, Channels& channels);
[[nodiscard]] std::shared_ptr<BufferArena> two_sided_arena(const ArenaRequest& request);
[[nodiscard]] std::shared_ptr<BufferArena> rma_arena(const ArenaRequest& request);
[[nodiscard]] std::shared_ptr<BufferArena> one_sided_arena(const ArenaRequest& request);
/// Supports only one contiguous block per source, because that is what an all-to-all can carry.
[[nodiscard]] std::shared_ptr<BufferArena> alltoall_arena(const ArenaRequest& request);

struct TransportEntry {
  std::string_view name;
  /// Adds the channels for probes. Null: probes cannot use the transport. Collective.
  void (*add_channels)(const ChannelRequest&, Channels&) = nullptr;
  /// Makes an arena for kernels. Null: kernels cannot use the transport. Collective over the team.
  std::shared_ptr<BufferArena> (*make_arena)(const ArenaRequest&) = nullptr;
  /// Its value in the public interface, for transports with an arena.
  std::optional<Transport> transport = std::nullopt;
  bool overlaps = true;  ///< a kernel can compute while data moves; otherwise the transport is offered as a
                         ///< variant of a kernel
};

/// The transports in the order in which probes run them.
inline constexpr std::array<TransportEntry, 7> transports{{
    {"mpi-two-sided", add_channel<two_sided_channel>, two_sided_arena, Transport::two_sided},
    {"mpi-persistent", add_channel<persistent_channel>},
    {"mpi-partitioned", add_channel<partitioned_channel>},
    {"mpi-rma", add_channel<rma_channel>, rma_arena, Transport::mpi_rma},
    {"mpi-request", add_channel<request_channel>},
    {"stretto", add_one_sided_channels, one_sided_arena, Transport::one_sided},
    {"mpi-alltoall", nullptr, alltoall_arena, Transport::alltoall, false},
}};

/// The names of the transports that a probe can use.
[[nodiscard]] std::vector<std::string> probe_transports();

/// Adds the channels of the transport `name`, one of probe_transports(). Collective.
void add_channels(std::string_view name, const ChannelRequest& request, Channels& channels);

}  // namespace stretto::exchange
