// SPDX-License-Identifier: BSD-3-Clause
// How a Jacobi iteration communicates: which layout, and each operation in which form; as asked, or by the
// model.
#pragma once

#include <optional>
#include <stretto/collective_form.hpp>

#include "kernel/jacobi_matrix.hpp"
#include "kernel/kernel.hpp"
#include "mpi/communicator.hpp"

namespace stretto::kernel {

struct JacobiPlan {
  bool by_row = true;
  collective::Form allgather;
  collective::Form reduce;
  collective::Form broadcast;
  std::optional<double> row_s;     ///< predicted communication of a step, eq. 1: t_mb(p, n/p)
  std::optional<double> column_s;  ///< the same, eq. 2: t_acc(p, n) + t_sb(p, n)
};

/// From variant, `grid`, `algorithm` and `profile`; makes the groups that it needs. Collective. Throws
/// std::invalid_argument that names the option.
[[nodiscard]] JacobiPlan jacobi_plan(const Request& request, const JacobiSystem& system,
                                     const mpi::Communicator& team);

}  // namespace stretto::kernel
