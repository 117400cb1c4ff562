// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/exchange_mode.hpp"

namespace stretto::kernel::nas {

ExchangeMode exchange_mode_of(const Request& request) {
  const bool overlap = request.variant == "nonblocking";
  return {.transport = transport_from(request.transport), .blocking = !overlap, .overlap = overlap};
}

std::vector<Alternative> exchange_alternatives(const Request& /*request*/, MPI_Comm /*communicator*/) {
  std::vector<Alternative> all{{"two-sided", "mpi-two-sided", {}, false},
                               {"blocking", "stretto", {}, false},
                               {"blocking", "mpi-rma", {}, false}};
  for (const char* transport : {"mpi-two-sided", "stretto", "mpi-rma"}) {
    all.push_back({"nonblocking", transport, {}, true});
  }
  return all;
}

}  // namespace stretto::kernel::nas
