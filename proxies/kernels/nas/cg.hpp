// SPDX-License-Identifier: BSD-3-Clause
// NAS CG: the largest eigenvalue of a random sparse matrix by inverse iteration, each step solved by
// conjugate gradients (RNR-94-007, section 2.4).
#pragma once

#include "kernels/kernel.hpp"

namespace stretto::kernel {

extern const Kernel cg;

}  // namespace stretto::kernel
