/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that calls MPI; two files of it have the same code at the same place. */
#include <mpi.h>

void call_mpi(void) { MPI_Barrier(MPI_COMM_WORLD); }
