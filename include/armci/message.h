/* SPDX-License-Identifier: BSD-3-Clause
 * ARMCI's messages and collectives, over MPI. While they wait, the runtime serves the requests of others.
 * They are over the default group unless they say otherwise; armci_msg_snd, rcv and rcvany name processes of
 * all. What goes wrong ends the program.
 */
#ifndef STRETTO_ARMCI_MESSAGE_H
#define STRETTO_ARMCI_MESSAGE_H

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of numbers. */
#define ARMCI_INT -99
#define ARMCI_LONG -101
#define ARMCI_LONG_LONG -102
#define ARMCI_FLOAT -306
#define ARMCI_DOUBLE -307

/* All of the group; those on the caller's node; the first of each node (others return at once). */
#define SCOPE_ALL 333
#define SCOPE_NODE 337
#define SCOPE_MASTERS 339

/* Initialises MPI where that is not done. */
void armci_msg_init(int* argc, char*** argv);
/* Finalizes MPI where that is not done. */
void armci_msg_finalize(void);
void armci_msg_abort(int code);
int armci_msg_me(void);
int armci_msg_nproc(void);
/* Seconds since an unspecified time. */
double armci_timer(void);

void armci_msg_snd(int tag, void* buffer, int len, int to);
/* *msglen, unless NULL, is set to the number of bytes received. */
void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from);
/* Returns the sender. */
int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen);

void armci_msg_barrier(void);
void armci_msg_brdcst(void* buffer, int len, int root);
void armci_msg_bcast(void* buffer, int len, int root);
/* `root` is a rank of the group, also where only some of it take part. */
void armci_msg_bcast_scope(int scope, void* buffer, int len, int root);
/* The caller's place in a binary tree of the scope; -1 for none. */
void armci_msg_bintree(int scope, int* Root, int* Up, int* Left, int* Right);

/* x[i] of all by the operation, everywhere: "+", "*", "max", "min", "absmax", "absmin" (of absolute values),
 * and of integers "&&" or "land", "||" or "lor", "&" or "band", "|" or "bor" or "or". */
void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type);
void armci_msg_igop(int* x, int n, char* op);
void armci_msg_lgop(long* x, int n, char* op);
void armci_msg_llgop(long long* x, int n, char* op);
void armci_msg_fgop(float* x, int n, char* op);
void armci_msg_dgop(double* x, int n, char* op);
/* The same: all get the result, not only the first. */
void armci_msg_reduce(void* x, int n, char* op, int type);
void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type);
/* Broadcasts the n bytes at x of the process that has the "min" or the "max" first number of those that
 * contribute; of equal ones the first. */
void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute);
#define armci_msg_sel(x, n, op, type, contribute) \
  armci_msg_sel_scope(SCOPE_ALL, (x), (n), (op), (type), (contribute))

/* An allgather: ptr_ar[i] is that of the i-th process; n is the number of processes. */
void armci_exchange_address(void* ptr_ar[], int n);
void armci_exchange_address_grp(void* ptr_ar[], int n, ARMCI_Group* group);

/* Over the processes of the default group on the caller's node; the first of them broadcasts. */
void armci_msg_clus_brdcst(void* buffer, int len);
void armci_msg_clus_igop(int* x, int n, char* op);
void armci_msg_clus_lgop(long* x, int n, char* op);
void armci_msg_clus_llgop(long long* x, int n, char* op);
void armci_msg_clus_fgop(float* x, int n, char* op);
void armci_msg_clus_dgop(double* x, int n, char* op);

void armci_msg_group_barrier(ARMCI_Group* group);
/* `root` is a process of all, as Global Arrays has it: ARMCI_Absolute_id of its rank. */
void armci_msg_group_bcast_scope(int scope, void* buffer, int len, int root, ARMCI_Group* group);
void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group);
void armci_msg_group_igop(int* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_lgop(long* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_llgop(long long* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_fgop(float* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_dgop(double* x, int n, char* op, ARMCI_Group* group);

/* Over the grp_clus_nproc processes of the group from its rank grp_master on, which broadcasts; they share a
 * node. */
void armci_grp_clus_brdcst(void* buffer, int len, int grp_master, int grp_clus_nproc, ARMCI_Group* group);

#ifdef MPI_VERSION
/* The group's processes by their ranks in it, for the program's own use while the group is there; not to be
 * freed. */
MPI_Comm armci_group_comm(ARMCI_Group* group);
#endif

#ifdef __cplusplus
}
#endif

#endif
