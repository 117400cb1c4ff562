/* SPDX-License-Identifier: BSD-3-Clause
 * A library as ARMCI-MPI's header compiles it: it calls ARMCI_INIT_HANDLE, and includes no armci.h of ours.
 */
void ARMCI_INIT_HANDLE(int* handle);
void initialise_a_handle(int* handle);

void initialise_a_handle(int* handle) { ARMCI_INIT_HANDLE(handle); }
