// SPDX-License-Identifier: BSD-3-Clause
// `nbc`: how much of a nonblocking collective hides under computation, over operation, ranks and size.
#include "probe/nonblocking_case.hpp"

namespace stretto::probe {

Cases nbc_cases(const Settings& settings, const ProbeContext& context) {
  return nonblocking_cases(nbc_sweep(settings, context.team.size()), settings, context);
}

}  // namespace stretto::probe
