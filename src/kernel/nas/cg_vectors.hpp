// SPDX-License-Identifier: BSD-3-Clause
// What CG does with a rank's pieces of vectors: sums that do not wait for each addition, one pass for what
// one step of the method reads together.
#pragma once

#include <cstddef>

namespace stretto::kernel::nas {

/// The scalar product of two pieces.
[[nodiscard]] double dot(const double* a, const double* b, std::size_t count);

/// One step along `p`: z += alpha p, r -= alpha q. Returns r * r.
double step_along(double alpha, const double* p, const double* q, double* z, double* r, std::size_t count);

}  // namespace stretto::kernel::nas
