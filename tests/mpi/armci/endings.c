/* SPDX-License-Identifier: BSD-3-Clause
 * How a program may end: `armci_endings HOW`, with HOW error, abort, unlock (of a mutex that does not exist) or
 * cleanup. */
#include <armci.h>
#include <message.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  armci_msg_init(&argc, &argv);
  if (ARMCI_Init_args(&argc, &argv) != 0) return 9;
  if (strcmp(how, "error") == 0) ARMCI_Error("this is wrong", 3);
  if (strcmp(how, "abort") == 0) {
    fputs("aborts now\n", stderr);
    armci_msg_abort(4);
    fputs("goes on\n", stderr);
  }
  if (strcmp(how, "unlock") == 0) {
    ARMCI_Create_mutexes(2);
    ARMCI_Unlock(5, 1);
  }
  ARMCI_Cleanup();
  ARMCI_Finalize();
  if (armci_msg_me() == 0) puts("ended in order");
  armci_msg_finalize();
  return 0;
}
