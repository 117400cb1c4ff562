// SPDX-License-Identifier: BSD-3-Clause
// Jacobi iteration with the matrix distributed by rows or by columns (Kühnemann, Rauber, Rünger, section 4).
#pragma once

#include "kernels/kernel.hpp"

namespace stretto::kernel {

/// `stretto run jacobi`.
extern const Kernel jacobi;

}  // namespace stretto::kernel
