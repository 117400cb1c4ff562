/* SPDX-License-Identifier: BSD-3-Clause
 * A program that armci.h compiled, with a library that ARMCI-MPI's header compiled: their groups differ in
 * size. It is refused when it begins. */
#include <armci.h>
#include <message.h>
#include <stdio.h>

void initialise_a_handle(int* handle);

int main(void) {
  armci_hdl_t handle = 0;
  initialise_a_handle(&handle);
  if (ARMCI_Init() == 0) printf("went on as if nothing had happened\n");
  armci_msg_finalize();
  return 1;
}
