// SPDX-License-Identifier: BSD-3-Clause
// `neighbourhood`: how much of an exchange with the neighbours in a grid hides under computation, by one
// neighbourhood collective and by sends.
#include "probe/nonblocking_case.hpp"

namespace stretto::probe {

Cases neighbourhood_cases(const Settings& settings, const ProbeContext& context) {
  return nonblocking_cases(neighbourhood_sweep(context.team.size()), settings, context);
}

}  // namespace stretto::probe
