// SPDX-License-Identifier: BSD-3-Clause
// The registry of transports: what probes and kernels find under each name. A new transport is a file that
// defines its functions, their declarations here, and a line in the table.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stretto/transport.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/exchange.hpp"

namespace stretto::exchange {

class MpiTeam;

using Channels = std::vector<std::unique_ptr<Channel>>;

/// What a probe run asks of a transport. Members that a transport has no use for say nothing to it.
struct ChannelRequest {
  MPI_Comm communicator = MPI_COMM_NULL;
  MpiTeam& team;
  std::span<const ProgressMode> progress;
  std::span<const std::string> paths;  ///< of the runtime; empty: its own choice
  double poll_interval_s = 0;
  std::size_t segment_bytes = 0;

  [[nodiscard]] bool asks_for(ProgressMode mode) const {
    return std::ranges::find(progress, mode) != progress.end();
  }
};

/// What a kernel asks of a transport: memory for the exchanges of a team.
struct ArenaRequest {
  const Team& team;
  Runtime& runtime;
  std::size_t memory_bytes = 0;
  std::size_t flags = 0;  ///< for all exchanges together: their groups and the ranks of their teams
};

void add_two_sided_channels(const ChannelRequest& request, Channels& channels);
void add_rma_channels(const ChannelRequest& request, Channels& channels);
void add_request_channels(const ChannelRequest& request, Channels& channels);
/// One for each path, without a progress thread and with one, as the modes of progress need.
void add_one_sided_channels(const ChannelRequest& request, Channels& channels);
[[nodiscard]] std::shared_ptr<BufferArena> two_sided_arena(const ArenaRequest& request);
[[nodiscard]] std::shared_ptr<BufferArena> rma_arena(const ArenaRequest& request);
[[nodiscard]] std::shared_ptr<BufferArena> one_sided_arena(const ArenaRequest& request);
/// One contiguous block a source: that is what an all-to-all can carry.
[[nodiscard]] std::shared_ptr<BufferArena> alltoall_arena(const ArenaRequest& request);

struct TransportEntry {
  std::string_view name;
  /// For probes. Null: they cannot run over it. Collective.
  void (*add_channels)(const ChannelRequest&, Channels&) = nullptr;
  /// For kernels. Null: they cannot run over it. Collective over the team.
  std::shared_ptr<BufferArena> (*make_arena)(const ArenaRequest&) = nullptr;
  std::optional<Transport> transport = std::nullopt;  ///< in the public interface; of those with an arena
  bool overlaps = true;  ///< a kernel can compute while it moves data; else it is a variant of a kernel
};

/// In the order in which probes go through them.
inline constexpr std::array<TransportEntry, 5> transports{{
    {"mpi-two-sided", add_two_sided_channels, two_sided_arena, Transport::two_sided},
    {"mpi-rma", add_rma_channels, rma_arena, Transport::mpi_rma},
    {"mpi-request", add_request_channels},
    {"stretto", add_one_sided_channels, one_sided_arena, Transport::one_sided},
    {"mpi-alltoall", nullptr, alltoall_arena, Transport::alltoall, false},
}};

/// Those that a kernel may be asked to run over: the default, the runtime, first.
inline constexpr auto kernel_transports = [] {
  // Those with an arena have a public name. The arena's address is no constant expression under sanitizers.
  constexpr auto fits = [](const TransportEntry& one) { return one.transport && one.overlaps; };
  std::array<std::string_view, std::ranges::count_if(transports, fits)> names;
  auto last = names.rbegin();
  for (const TransportEntry& one : transports) {
    if (fits(one)) *last++ = one.name;
  }
  return names;
}();

/// Those that a probe may be asked to run over.
[[nodiscard]] std::vector<std::string> probe_transports();

/// Adds the channels of one of probe_transports(). Collective.
void add_channels(std::string_view name, const ChannelRequest& request, Channels& channels);

}  // namespace stretto::exchange
