// SPDX-License-Identifier: BSD-3-Clause
// Kernel `stretto run spmv`: products of a sparse matrix with vectors, as in figures 8 and 9 of Nieplocha et
// al.
#pragma once

#include "kernels/kernel.hpp"

namespace stretto::kernel {

extern const Kernel spmv_kernel;

}  // namespace stretto::kernel
