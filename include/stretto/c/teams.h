/* SPDX-License-Identifier: BSD-3-Clause
 * Teams, their collectives, and active messages. Programs include stretto/stretto.h. */
#ifndef STRETTO_C_TEAMS_H
#define STRETTO_C_TEAMS_H

#include <stretto/c/transfers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Teams ---- */

/* The `count` ranks of the runtime, which get ranks in the team in this order. Collective over them. */
int stretto_team_create(const stretto_runtime* runtime, int count, const int ranks[], stretto_team** team);
/* All ranks. To be freed as any other. */
int stretto_team_world(const stretto_runtime* runtime, stretto_team** team);
/* Once the regions of the team are freed. Collective over the team. */
int stretto_team_free(stretto_team** team);
/* They return the number itself; -1 for NULL. */
int stretto_team_rank(const stretto_team* team);
int stretto_team_size(const stretto_team* team);
/* The rank in the runtime of the team's rank `member`. */
int stretto_team_runtime_rank(const stretto_team* team, int member, int* runtime_rank);
/* The rank in the team of a rank of the runtime; *rank is -1 where it is not a member. */
int stretto_team_rank_of(const stretto_team* team, int runtime_rank, int* rank);
/* The rank in `other` of this team's rank `member`, or -1. */
int stretto_team_translate(const stretto_team* team, int member, const stretto_team* other, int* rank);
/* The members that give the same `color` form a team, in the order of `key`, then of their ranks. A negative
 * color gives none: *part is NULL. Collective. */
int stretto_team_split(const stretto_team* team, int color, int key, stretto_team** part);
/* The lowest rank of the runtime on the member's node. */
int stretto_team_node(const stretto_team* team, int member, int* node);
/* The team's own communicator, under the rules of stretto_communicator. */
#ifdef MPI_VERSION
int stretto_team_communicator(const stretto_team* team, MPI_Comm* communicator);
#endif
int stretto_team_communicator_fortran(const stretto_team* team, int* communicator);
/* Completes all operations of this rank, and is a barrier of the members. Collective. */
int stretto_team_barrier(const stretto_team* team);

/* ---- Collectives of a team ----
 *
 * All members call them, in the same order. A rank that waits in one serves other ranks. The nonblocking ones
 * need their memory until the request is waited for. `type` is an integer or real type of transfers.h, or one
 * of these two. */

#define STRETTO_UINT32 6
#define STRETTO_UINT64 7

#define STRETTO_SUM 0
#define STRETTO_PRODUCT 1
#define STRETTO_MIN 2
#define STRETTO_MAX 3
#define STRETTO_BIT_AND 4
#define STRETTO_BIT_OR 5
#define STRETTO_BIT_XOR 6
#define STRETTO_LOGICAL_AND 7
#define STRETTO_LOGICAL_OR 8

/* The root's data, to all members. */
int stretto_team_broadcast(const stretto_team* team, void* data, size_t size_bytes, int root);
/* Element by element of `count` elements. The root alone gets the result. */
int stretto_team_reduce(const stretto_team* team, const void* mine, void* result, size_t count, int type,
                        int reduction, int root);
int stretto_team_allreduce(const stretto_team* team, const void* mine, void* result, size_t count, int type,
                           int reduction);
/* `all` has the `size_bytes` of every member, in their order. */
int stretto_team_allgather(const stretto_team* team, const void* mine, size_t size_bytes, void* all);
/* Blocks of `size_bytes`, one for each member, and one from each. */
int stretto_team_alltoall(const stretto_team* team, const void* blocks, size_t size_bytes, void* received);

int stretto_nonblocking_team_barrier(const stretto_team* team, stretto_request** request);
int stretto_nonblocking_team_broadcast(const stretto_team* team, void* data, size_t size_bytes, int root,
                                       stretto_request** request);
int stretto_nonblocking_team_reduce(const stretto_team* team, const void* mine, void* result, size_t count,
                                    int type, int reduction, int root, stretto_request** request);
int stretto_nonblocking_team_allreduce(const stretto_team* team, const void* mine, void* result, size_t count,
                                       int type, int reduction, stretto_request** request);
int stretto_nonblocking_team_allgather(const stretto_team* team, const void* mine, size_t size_bytes,
                                       void* all, stretto_request** request);
int stretto_nonblocking_team_alltoall(const stretto_team* team, const void* blocks, size_t size_bytes,
                                      void* received, stretto_request** request);
/* *request becomes NULL, with the test when *complete is 1. */
int stretto_request_wait(stretto_request** request);
int stretto_request_test(stretto_request** request, int* complete);

/* ---- Active messages ----
 *
 * A function that any rank runs on any other. The target's progress runs it, one at a time, those of one
 * source in the order of their calls. It may start operations, but must not wait for another rank. */

typedef void (*stretto_function)(int source, const void* payload, size_t size_bytes, void* context);

/* The ranks may give different functions. Another rank may call this rank's before *remote is set here: a
 * function that uses *remote needs a barrier before the first call. Collective over the runtime; the first of a
 * runtime needs that no operation is outstanding. */
int stretto_remote_function_create(stretto_runtime* runtime, stretto_function function, void* context,
                                   stretto_remote_function** remote);
/* Waits for all calls of all ranks. Collective over the runtime. */
int stretto_remote_function_free(stretto_remote_function** remote);
/* Returns when the payload may be changed. After a fence of `target` the function has returned there. */
int stretto_remote_function_call(const stretto_remote_function* remote, int target, const void* payload,
                                 size_t size_bytes);
/* The most bytes of one payload. */
int stretto_remote_function_most_bytes(const stretto_remote_function* remote, size_t* size_bytes);

#ifdef __cplusplus
}
#endif

#endif
