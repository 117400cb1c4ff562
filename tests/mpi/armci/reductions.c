/* SPDX-License-Identifier: BSD-3-Clause
 * Reductions of every type, over all, the node and a group; selection, broadcasts and addresses by scope. */
#include "checks.h"

/* Three names for the sum of ranks: by type, by node, by group. */
#define SUMS(type, all, node, of_group)                       \
  do {                                                        \
    type number = (type)(me + 1);                             \
    all(&number, 1, "+");                                     \
    CHECK(number == (type)(processes * (processes + 1) / 2)); \
    number = 1;                                               \
    node(&number, 1, "+");                                    \
    CHECK(number == (type)here);                              \
    number = (type)(me + 1);                                  \
    of_group(&number, 1, "max", &world);                      \
    CHECK(number == (type)processes);                         \
  } while (0)

static void reduce_every_type(void) {
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  const int here = armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1);
  SUMS(int, armci_msg_igop, armci_msg_clus_igop, armci_msg_group_igop);
  SUMS(long, armci_msg_lgop, armci_msg_clus_lgop, armci_msg_group_lgop);
  SUMS(long long, armci_msg_llgop, armci_msg_clus_llgop, armci_msg_group_llgop);
  SUMS(float, armci_msg_fgop, armci_msg_clus_fgop, armci_msg_group_fgop);
  SUMS(double, armci_msg_dgop, armci_msg_clus_dgop, armci_msg_group_dgop);
  int number = 1;
  armci_msg_group_gop_scope(SCOPE_ALL, &number, 1, "+", ARMCI_INT, &world);
  CHECK(number == processes);
}

static void select_and_broadcast(void) {
  double candidate[2] = {me == 0 ? 5.0 : -me, 100.0 + me};
  armci_msg_sel_scope(SCOPE_ALL, candidate, sizeof candidate, "max", ARMCI_DOUBLE, 1);
  CHECK(candidate[0] == 5.0 && candidate[1] == 100.0);
  int word = me == processes - 1 ? 8 : 0;
  armci_msg_bcast(&word, sizeof word, processes - 1);
  CHECK(word == 8);
  word = me == 0 ? 9 : 0;
  armci_msg_bcast_scope(SCOPE_ALL, &word, sizeof word, 0);
  CHECK(word == 9);
}

static void exchange_addresses(void) {
  ARMCI_Group world;
  void* addresses[MAX_PROCESSES] = {NULL};
  ARMCI_Group_get_world(&world);
  addresses[me] = (char*)NULL + 16 * (me + 1);
  armci_exchange_address_grp(addresses, processes, &world);
  for (int i = 0; i < processes; ++i) CHECK(addresses[i] == (char*)NULL + 16 * (i + 1));
}

/* Vectors with a handle, and what tells places. */
static void start_vectors(void) {
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  double one = 1;
  double numbers[2] = {me, me + 0.5};
  double back[2] = {-1, -1};
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_Set_shm_limit(1UL << 20);
  CHECK(armci_sameclusnode(me) != 0);
  CHECK(ARMCI_Malloc(memory, 4 * sizeof(double)) == 0);
  double* const there = memory[other];
  void* local[2] = {numbers, numbers + 1};
  void* remote[2] = {there, there + 2};
  void* sink[2] = {back, back + 1};
  armci_giov_t vector = {local, remote, 2, sizeof(double)};
  CHECK(ARMCI_NbAccV(ARMCI_ACC_DBL, &one, &vector, 1, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_Fence(other);
  armci_giov_t gather = {remote, sink, 2, sizeof(double)};
  CHECK(ARMCI_NbGetV(&gather, 1, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  CHECK(back[0] == me && back[1] == me + 0.5);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

void test_every_reduction(void) {
  reduce_every_type();
  select_and_broadcast();
  exchange_addresses();
  start_vectors();
}
