// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mover.hpp"

#include <mpi.h>

#include <stdexcept>
#include <utility>

#include "kernel/movers.hpp"
#include "mpi/check.hpp"

namespace stretto::kernel {

void Mover::store(int /*target*/, const std::byte* /*from*/, const Block& /*block*/) {
  throw std::logic_error("a part of a block can only be stored where sends are copies");
}

std::vector<std::size_t> landings_of(const Team& team, std::size_t first) {
  const auto mine = static_cast<std::uint64_t>(first);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(team.size()));
  mpi::check(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, team.communicator()),
             "MPI_Allgather");
  return {all.begin(), all.end()};
}

std::shared_ptr<Ground> make_ground(Transport transport, const Team& team, Runtime& runtime,
                                    std::size_t memory_bytes, std::size_t flags) {
  switch (transport) {
    case Transport::one_sided:
      return one_sided_ground(runtime, team, memory_bytes, flags);
    case Transport::mpi_rma:
      return rma_ground(team, memory_bytes);
    case Transport::two_sided:
      return two_sided_ground(memory_bytes);
    case Transport::alltoall:
      break;
  }
  return alltoall_ground(memory_bytes);
}

std::unique_ptr<Mover> make_mover(Transport transport, Runtime& runtime, const Team& team,
                                  const MoverShape& shape, std::vector<Route> routes) {
  const auto flags = static_cast<std::size_t>(shape.groups) + static_cast<std::size_t>(team.size());
  return make_ground(transport, team, runtime, shape.landing_bytes, flags)
      ->mover(team, shape, std::move(routes));
}

}  // namespace stretto::kernel
