// SPDX-License-Identifier: BSD-3-Clause
// The right side of NAS MG: 1 at the positions of the benchmark's ten largest random numbers, -1 at those of
// the ten smallest, 0 elsewhere (RNR-94-007, kernel MG).
#pragma once

#include <mpi.h>

#include "kernels/nas/mg_field.hpp"
#include "kernels/nas/mg_grid.hpp"

namespace stretto::kernel::nas {

/// Fills `field`, this rank's part of the finest level. Collective over `communicator`.
void fill_right_side(MgField& field, const MgGrid& grid, MPI_Comm communicator);

}  // namespace stretto::kernel::nas
