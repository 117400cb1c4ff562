// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/exchange_mode.hpp"

namespace stretto::kernel::nas {

ExchangeMode exchange_mode_of(const Request& request) {
  const bool overlap = request.variant == "nonblocking";
  return {
      .transport = request.variant == "two-sided" ? Transport::two_sided : transport_from(request.transport),
      .blocking = !overlap,
      .overlap = overlap};
}

}  // namespace stretto::kernel::nas
