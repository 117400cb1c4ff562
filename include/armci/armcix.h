/* SPDX-License-Identifier: BSD-3-Clause
 * The extensions of ARMCI-MPI: groups by colour, sets of mutexes of a group, progress. Functions that return
 * int return 0, or one of the FAIL codes of armci.h. */
#ifndef STRETTO_ARMCI_ARMCIX_H
#define STRETTO_ARMCI_ARMCIX_H

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parent's processes of one colour, by `key` and then by their ranks. Collective over the parent. */
int ARMCIX_Group_split(ARMCI_Group* parent, int color, int key, ARMCI_Group* new_group);
int ARMCIX_Group_dup(ARMCI_Group* parent, ARMCI_Group* new_group);

typedef struct armcix_mutex_hdl_s* armcix_mutex_hdl_t;

/* `count` mutexes of the caller; the counts may differ. Collective over the group. `proc` is a process of
 * all. */
armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group* pgroup);
int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl);
void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);
/* 0 where the caller has the mutex now, 1 where another process has it. */
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);
void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);

/* Serves requests of other processes and moves the caller's operations. */
void ARMCIX_Progress(void);

#ifdef __cplusplus
}
#endif

#endif
