// SPDX-License-Identifier: BSD-3-Clause
// NAS FT: a partial differential equation solved by 3-D transforms (RNR-94-007, section 2.5.4). It uses
// stretto's public transforms.
#pragma once

#include "kernels/kernel.hpp"

namespace stretto::kernel {

extern const Kernel ft;

}  // namespace stretto::kernel
