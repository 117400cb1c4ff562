// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

#include <mpi.h>

#include <stdexcept>
#include <utility>

#include "exchange/arenas.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {

Exchange::Exchange(std::shared_ptr<BufferArena> arena, const ExchangeShape& shape)
    : arena_(std::move(arena)), receive_buffer_(arena_->memory() + shape.arena_offset) {}

void Exchange::store(int /*target*/, const std::byte* /*from*/, const StridedBlock& /*block*/) {
  throw std::logic_error("a part of a block can only be stored where sends are copies");
}

ArenaRanks::ArenaRanks(const Team& team) {
  for (int rank = 0; rank < team.size(); ++rank) ranks_[team.runtime_rank(rank)] = rank;
}

std::vector<RemoteBuffer> ArenaRanks::buffers_of(const Team& team, std::size_t own_offset) const {
  const auto mine = static_cast<std::uint64_t>(own_offset);
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(team.size()));
  mpi::check(MPI_Allgather(&mine, 1, MPI_UINT64_T, offsets.data(), 1, MPI_UINT64_T, team.communicator()),
             "MPI_Allgather");
  std::vector<RemoteBuffer> buffers;
  buffers.reserve(offsets.size());
  for (int rank = 0; rank < team.size(); ++rank) {
    buffers.push_back(
        {.rank = ranks_.at(team.runtime_rank(rank)), .offset = offsets[static_cast<std::size_t>(rank)]});
  }
  return buffers;
}

}  // namespace stretto::exchange
