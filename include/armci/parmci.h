/* SPDX-License-Identifier: BSD-3-Clause
 * The PARMCI_ names of ARMCI's functions, as MPI has PMPI_: a profiler defines ARMCI_Put and calls
 * PARMCI_Put. Needs typeof in C (gcc, clang, icx).
 */
#ifndef STRETTO_ARMCI_PARMCI_H
#define STRETTO_ARMCI_PARMCI_H

#include "armci.h"
#include "message.h"

#ifdef __cplusplus
#define STRETTO_SECOND_NAME(name, second) extern "C" decltype(name) second;
#else
#define STRETTO_SECOND_NAME(name, second) extern __typeof__(name) second;
#endif
#define STRETTO_P(name) STRETTO_SECOND_NAME(name, P##name)

STRETTO_P(ARMCI_Malloc)
STRETTO_P(ARMCI_Free)
STRETTO_P(ARMCI_Malloc_memdev)
STRETTO_P(ARMCI_Malloc_group_memdev)
STRETTO_P(ARMCI_Free_memdev)
STRETTO_P(ARMCI_Access_begin)
STRETTO_P(ARMCI_Access_end)
STRETTO_P(ARMCI_Malloc_local)
STRETTO_P(ARMCI_Free_local)
STRETTO_P(ARMCI_Init)
STRETTO_P(ARMCI_Init_args)
STRETTO_P(ARMCI_Init_thread)
#ifdef MPI_VERSION
STRETTO_P(ARMCI_Init_mpi_comm)
STRETTO_P(ARMCI_Init_thread_comm)
#endif
STRETTO_P(ARMCI_Initialized)
STRETTO_P(ARMCI_Finalize)
STRETTO_P(ARMCI_Fence)
STRETTO_P(ARMCI_AllFence)
STRETTO_P(ARMCI_GroupFence)
STRETTO_P(ARMCI_Barrier)
STRETTO_P(ARMCI_Rmw)
STRETTO_P(ARMCI_Create_mutexes)
STRETTO_P(ARMCI_Destroy_mutexes)
STRETTO_P(ARMCI_Lock)
STRETTO_P(ARMCI_Unlock)
STRETTO_P(ARMCI_Put)
STRETTO_P(ARMCI_NbPut)
STRETTO_P(ARMCI_Get)
STRETTO_P(ARMCI_NbGet)
STRETTO_P(ARMCI_Acc)
STRETTO_P(ARMCI_NbAcc)
STRETTO_P(ARMCI_PutS)
STRETTO_P(ARMCI_NbPutS)
STRETTO_P(ARMCI_GetS)
STRETTO_P(ARMCI_NbGetS)
STRETTO_P(ARMCI_AccS)
STRETTO_P(ARMCI_NbAccS)
STRETTO_P(ARMCI_PutV)
STRETTO_P(ARMCI_NbPutV)
STRETTO_P(ARMCI_GetV)
STRETTO_P(ARMCI_NbGetV)
STRETTO_P(ARMCI_AccV)
STRETTO_P(ARMCI_NbAccV)
STRETTO_P(ARMCI_Put_flag)
STRETTO_P(ARMCI_PutS_flag)
STRETTO_P(ARMCI_PutS_flag_dir)
STRETTO_P(ARMCI_Wait)
STRETTO_P(ARMCI_Test)
STRETTO_P(ARMCI_WaitProc)
STRETTO_P(ARMCI_WaitAll)
STRETTO_P(ARMCI_PutValueInt)
STRETTO_P(ARMCI_PutValueLong)
STRETTO_P(ARMCI_PutValueFloat)
STRETTO_P(ARMCI_PutValueDouble)
STRETTO_P(ARMCI_NbPutValueInt)
STRETTO_P(ARMCI_NbPutValueLong)
STRETTO_P(ARMCI_NbPutValueFloat)
STRETTO_P(ARMCI_NbPutValueDouble)
STRETTO_P(ARMCI_GetValueInt)
STRETTO_P(ARMCI_GetValueLong)
STRETTO_P(ARMCI_GetValueFloat)
STRETTO_P(ARMCI_GetValueDouble)
STRETTO_P(ARMCI_Memget)
STRETTO_P(ARMCI_Memat)
STRETTO_P(ARMCI_Memctl)

STRETTO_SECOND_NAME(armci_msg_barrier, parmci_msg_barrier)
STRETTO_SECOND_NAME(armci_msg_group_barrier, parmci_msg_group_barrier)
STRETTO_SECOND_NAME(armci_notify, parmci_notify)
STRETTO_SECOND_NAME(armci_notify_wait, parmci_notify_wait)

#undef STRETTO_P
#undef STRETTO_SECOND_NAME

#endif
