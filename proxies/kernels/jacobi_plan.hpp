// SPDX-License-Identifier: BSD-3-Clause
// The layout of a Jacobi iteration and the form of its collectives, as the options request. The fastest
// choice is predicted before the ranks start (python/stretto/model/collective/jacobi.py).
#pragma once

#include <stretto/collective_form.hpp>

#include "kernels/kernel.hpp"
#include "mpi/communicator.hpp"

namespace stretto::kernel {

struct JacobiPlan {
  bool by_row = true;
  collective::Form form;  ///< form of all collectives of an iteration
};

/// The plan for the variant, `grid` and `algorithm`; makes the groups that it needs. Throws
/// std::invalid_argument that names the option. Collective.
[[nodiscard]] JacobiPlan jacobi_plan(const Request& request, const mpi::Communicator& team);

}  // namespace stretto::kernel
