// SPDX-License-Identifier: BSD-3-Clause
// How a Jacobi iteration communicates: which layout, and its collectives in which form. As asked: what is
// faster is predicted before the ranks start (python/stretto/model/collective/jacobi.py).
#pragma once

#include <stretto/collective_form.hpp>

#include "kernel/kernel.hpp"
#include "mpi/communicator.hpp"

namespace stretto::kernel {

struct JacobiPlan {
  bool by_row = true;
  collective::Form form;  ///< of all collectives of an iteration
};

/// From variant, `grid` and `algorithm`; makes the groups that it needs. Collective. Throws
/// std::invalid_argument that names the option.
[[nodiscard]] JacobiPlan jacobi_plan(const Request& request, const mpi::Communicator& team);

}  // namespace stretto::kernel
