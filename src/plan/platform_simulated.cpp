// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include "plan/platform.hpp"

namespace stretto::plan {

double now_s() { return MPI_Wtime(); }

void computed(double flops) {
  if (flops > 0) smpi_execute_flops(flops);
}

bool memory_is_shared() { return true; }

bool first_run_differs() { return false; }

}  // namespace stretto::plan
