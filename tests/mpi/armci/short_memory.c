/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that is short: MPI_Alloc_mem of this program answers as MPICH's does then, with success and an
 * address near 0. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "checks.h"

#ifndef STRETTO_SIMGRID /* whose MPI_Alloc_mem is a macro */
static int memory_is_short;

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  const uintptr_t near_zero = 0x10;
  if (!memory_is_short) return PMPI_Alloc_mem(size, info, baseptr);
  *(uintptr_t*)baseptr = near_zero;
  return MPI_SUCCESS;
}

void test_short_memory(void) {
  memory_is_short = 1;
  CHECK(ARMCI_Malloc_local(64) == NULL);
  CHECK(ARMCI_Malloc_local(1L << 30) == NULL);
  memory_is_short = 0;
  void* const memory = ARMCI_Malloc_local(64);
  CHECK(memory != NULL);
  CHECK(ARMCI_Free_local(memory) == 0);
}
#else
void test_short_memory(void) {}
#endif
