/* SPDX-License-Identifier: BSD-3-Clause
 * Groups, their collective operations, and the locations of processes. */
#include "checks.h"

/* Memory of a group; calls still name processes by their absolute rank. */
static void use_memory_of(ARMCI_Group* group, int rank, int size) {
  void* memory[MAX_PROCESSES];
  CHECK(ARMCI_Malloc_group(memory, sizeof(int), group) == 0);
  const int next = (rank + 1) % size;
  CHECK(ARMCI_PutValueInt(100 + rank, memory[next], ARMCI_Absolute_id(group, next)) == 0);
  ARMCI_GroupFence(group);
  armci_msg_group_barrier(group);
  CHECK(*(int*)memory[rank] == 100 + (rank + size - 1) % size);
  int sum = rank;
  armci_msg_group_igop(&sum, 1, "+", group);
  CHECK(sum == size * (size - 1) / 2);
  int word = rank == size - 1 ? 77 : 0;
  armci_msg_group_bcast_scope(SCOPE_ALL, &word, sizeof word, ARMCI_Absolute_id(group, size - 1), group);
  CHECK(word == 77);
  CHECK(ARMCI_Free_group(memory[rank], group) == 0);
}

/* The same group as the default group, which calls without a group use. */
static void use_as_default(ARMCI_Group* group, int rank, int size) {
  ARMCI_Group before;
  ARMCI_Group now;
  void* memory[MAX_PROCESSES];
  ARMCI_Group_get_default(&before);
  ARMCI_Group_set_default(group);
  ARMCI_Group_get_default(&now);
  CHECK(now == *group);
  CHECK(ARMCI_Malloc(memory, rank == 0 ? (long)sizeof(int) : 0) == 0);
  CHECK(ARMCI_PutValueInt(me, memory[0], ARMCI_Absolute_id(group, 0)) == 0);
  ARMCI_Barrier();
  int members = 1;
  armci_msg_igop(&members, 1, "+");
  CHECK(members == size);
  CHECK(ARMCI_Free(memory[rank]) == 0);

  /* A subgroup, by ranks in the group. */
  ARMCI_Group child;
  int first = 0;
  ARMCI_Group_create(1, &first, &child);
  int rank_in_child = 5;
  CHECK(ARMCI_Group_rank(&child, &rank_in_child) == (rank == 0 ? 0 : 1));
  CHECK(rank_in_child == (rank == 0 ? 0 : -1));
  if (rank == 0) CHECK(ARMCI_Absolute_id(&child, 0) == me);
  ARMCI_Group_free(&child);
  ARMCI_Group_set_default(&before);
}

void test_groups(void) {
  ARMCI_Group world;
  ARMCI_Group half;
  int members[MAX_PROCESSES];
  int count = 0;
  int rank = -1;
  int size = 0;
  ARMCI_Group_get_world(&world);
  CHECK(ARMCI_Group_rank(&world, &rank) == 0 && rank == me);
  ARMCI_Group_size(&world, &size);
  CHECK(size == processes);
  /* Even and odd processes concurrently, in descending order. */
  for (int i = processes - 1; i >= 0; --i) {
    if (i % 2 == me % 2) members[count++] = i;
  }
  ARMCI_Group_create_child(count, members, &half, &world);
  CHECK(ARMCI_Group_rank(&half, &rank) == 0 && members[rank] == me);
  ARMCI_Group_size(&half, &size);
  CHECK(size == count);
  for (int i = 0; i < count; ++i) CHECK(ARMCI_Absolute_id(&half, i) == members[i]);
  use_memory_of(&half, rank, size);
  use_as_default(&half, rank, size);
  ARMCI_Group_free(&half);
}

void test_domains(void) {
  const int count = armci_domain_count(ARMCI_DOMAIN_SMP);
  const int mine = armci_domain_my_id(ARMCI_DOMAIN_SMP);
  int seen = 0;
  for (int id = 0; id < count; ++id) {
    const int there = armci_domain_nprocs(ARMCI_DOMAIN_SMP, id);
    for (int i = 0; i < there; ++i) {
      const int process = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, id, i);
      CHECK(armci_domain_id(ARMCI_DOMAIN_SMP, process) == id);
      CHECK(ARMCI_Same_node(process) == (id == mine));
      CHECK(armci_domain_same_id(ARMCI_DOMAIN_SMP, process) == (id == mine));
    }
    seen += there;
  }
  CHECK(seen == processes);
  CHECK(ARMCI_Uses_shm() == (armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1) > 1));
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  CHECK(ARMCI_Uses_shm_grp(&world) == ARMCI_Uses_shm());
}
