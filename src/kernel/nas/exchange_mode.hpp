// SPDX-License-Identifier: BSD-3-Clause
// What NAS CG and MG have in common: how they are asked to exchange, and where their time goes.
#pragma once

#include <array>
#include <string_view>

#include "exchange/exchange.hpp"
#include "kernel/kernel.hpp"

namespace stretto::kernel::nas {

/// How a kernel exchanges: whether a transfer is waited for where it starts, or under the computation.
struct ExchangeMode {
  Transport transport = Transport::one_sided;
  bool blocking = false;  ///< each put is complete before the next step
  bool overlap = false;   ///< what others wait for is computed first, and travels under the rest
};

constexpr std::array<std::string_view, 3> exchange_variants{"nonblocking", "blocking", "two-sided"};

/// Of one of these variants over one of these transports; `two-sided` is `blocking` over mpi-two-sided.
[[nodiscard]] ExchangeMode exchange_mode_of(const Request& request);

struct Timers {
  double init_s = 0;
  double work_s = 0;
  double sync_s = 0;
  double barrier_s = 0;
};

}  // namespace stretto::kernel::nas
