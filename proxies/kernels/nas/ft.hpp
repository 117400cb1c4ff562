// SPDX-License-Identifier: BSD-3-Clause
// NAS FT: a partial differential equation solved by 3-D transforms (RNR-94-007, section 2.5.4). It uses
// stretto's public transforms.
#pragma once

#include "kernels/kernel.hpp"

namespace stretto::kernel {

extern const Kernel ft;

namespace nas {

// Floating-point operations per point of what is no transform.
constexpr double ft_initial_flops = 8;  ///< the random numbers, once
constexpr double ft_evolve_flops = 4;   ///< a time step: two real products for each part

}  // namespace nas

}  // namespace stretto::kernel
