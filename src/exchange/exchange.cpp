// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

#include <mpi.h>

#include <stdexcept>
#include <utility>

#include "exchange/arenas.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {

void Exchange::store(int /*target*/, const std::byte* /*from*/, const StridedBlock& /*block*/) {
  throw std::logic_error("a part of a block can only be stored where sends are copies");
}

std::vector<std::size_t> arena_offsets_of(const Team& team, std::size_t first) {
  const auto mine = static_cast<std::uint64_t>(first);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(team.size()));
  mpi::check(
      MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, team.communicator()),
      "MPI_Allgather");
  return {all.begin(), all.end()};
}

std::shared_ptr<BufferArena> make_arena(Transport transport, const Team& team, Runtime& runtime,
                                        std::size_t memory_bytes, std::size_t flags) {
  switch (transport) {
    case Transport::one_sided:
      return one_sided_arena(runtime, team, memory_bytes, flags);
    case Transport::mpi_rma:
      return rma_arena(team, memory_bytes);
    case Transport::two_sided:
      return two_sided_arena(memory_bytes);
    case Transport::alltoall:
      break;
  }
  return alltoall_arena(memory_bytes);
}

std::unique_ptr<Exchange> make_exchange(Transport transport, Runtime& runtime, const Team& team,
                                        const ExchangeShape& shape, std::vector<ReceivePattern> patterns) {
  const auto flags = static_cast<std::size_t>(shape.groups) + static_cast<std::size_t>(team.size());
  return make_arena(transport, team, runtime, shape.buffer_bytes, flags)
      ->exchange(team, shape, std::move(patterns));
}

}  // namespace stretto::exchange
