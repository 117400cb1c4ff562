// SPDX-License-Identifier: BSD-3-Clause
// `--variant auto`: times the alternatives of a kernel one after the other.
#pragma once

#include <mpi.h>

#include "kernels/choice.hpp"
#include "kernels/kernel.hpp"

namespace stretto::kernel {

constexpr std::string_view chosen_by_measuring = "auto";

/// Times the kernel's alternatives for a request for `auto`; only those over its transport, where it names
/// one. Throws std::invalid_argument, on all ranks alike, as `checked`. Collective.
[[nodiscard]] Choice measured_choice(const Kernel& kernel, const Request& request, MPI_Comm communicator);

/// The request for an alternative.
[[nodiscard]] Request with(Request request, const Alternative& alternative);

}  // namespace stretto::kernel
