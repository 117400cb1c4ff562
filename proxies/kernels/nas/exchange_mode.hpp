// SPDX-License-Identifier: BSD-3-Clause
// The exchange mode that NAS CG and MG share.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "exchange/exchange.hpp"
#include "kernels/kernel.hpp"

namespace stretto::kernel::nas {

/// How a kernel exchanges data: it waits for a transfer where it starts it, or computes in between.
struct ExchangeMode {
  Transport transport = Transport::one_sided;
  bool blocking = false;  ///< each put is complete before the next step
  /// Data that other ranks need is computed first, and travels during the rest of the computation.
  bool overlap = false;
};

constexpr std::array<std::string_view, 3> exchange_variants{"nonblocking", "blocking", "two-sided"};

/// The mode of a variant and transport of the request; `two-sided` is `blocking` over mpi-two-sided.
[[nodiscard]] ExchangeMode exchange_mode_of(const Request& request);

/// The exchanges that `--variant auto` compares.
[[nodiscard]] std::vector<Alternative> exchange_alternatives(const Request& request, MPI_Comm communicator);

}  // namespace stretto::kernel::nas
