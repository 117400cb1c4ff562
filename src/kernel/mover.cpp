// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mover.hpp"

#include <stdexcept>
#include <utility>

#include "kernel/movers.hpp"

namespace stretto::kernel {

void Mover::store(int /*target*/, const std::byte* /*from*/, const Block& /*block*/) {
  throw std::logic_error("a part of a block can only be stored where sends are copies");
}

std::unique_ptr<Mover> make_mover(Transport transport, Runtime& runtime, const Team& team,
                                  const MoverShape& shape, std::vector<Route> routes) {
  switch (transport) {
    case Transport::one_sided:
      return one_sided_mover(runtime, team, shape, routes);
    case Transport::mpi_rma:
      return rma_mover(team, shape);
    case Transport::two_sided:
      return two_sided_mover(team, shape, std::move(routes));
    case Transport::alltoall:
      break;
  }
  return alltoall_mover(team, shape, routes);
}

}  // namespace stretto::kernel
