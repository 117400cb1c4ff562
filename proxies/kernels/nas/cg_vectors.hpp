// SPDX-License-Identifier: BSD-3-Clause
// Operations of CG on a rank's pieces of vectors. Sums use independent accumulators, and each step reads its
// vectors in one pass.
#pragma once

#include <cstddef>

namespace stretto::kernel::nas {

/// The scalar product of two pieces.
[[nodiscard]] double dot(const double* a, const double* b, std::size_t count);

/// One step along `p`: z += alpha p, r -= alpha q. Returns the scalar product r * r.
double step_along(double alpha, const double* p, const double* q, double* z, double* r, std::size_t count);

}  // namespace stretto::kernel::nas
