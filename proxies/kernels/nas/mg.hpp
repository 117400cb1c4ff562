// SPDX-License-Identifier: BSD-3-Clause
// NAS MG: Poisson's equation on a periodic cube by V-cycles of a multigrid method (RNR-94-007, kernel MG).
#pragma once

#include "kernels/kernel.hpp"

namespace stretto::kernel {

extern const Kernel mg;

}  // namespace stretto::kernel
