// SPDX-License-Identifier: BSD-3-Clause
// The options of a kernel's runtime.
#pragma once

#include <stretto/options.hpp>
#include <stretto/transport.hpp>

namespace stretto::kernel {

/// Only the transport `stretto` has a progress thread: one would also move the messages of plain MPI, with
/// which the kernels are compared.
[[nodiscard]] inline Options runtime_options(Transport transport) {
  if (transport == Transport::one_sided) return {};
  return {.progress = Progress::poll};
}

}  // namespace stretto::kernel
