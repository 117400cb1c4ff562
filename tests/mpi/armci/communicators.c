/* SPDX-License-Identifier: BSD-3-Clause
 * What a program that knows MPI has from a group. */
#include "checks.h"

/* Messages on a group's communicator, by ranks in it, while the group's own collectives go on. */
static void send_around(ARMCI_Group* group) {
  int rank = -1;
  int size = 0;
  ARMCI_Group_rank(group, &rank);
  ARMCI_Group_size(group, &size);
  MPI_Comm communicator = armci_group_comm(group);
  int here = -1;
  int there = -1;
  MPI_Comm_rank(communicator, &here);
  MPI_Comm_size(communicator, &there);
  CHECK(here == rank && there == size);
  int sent = me;
  int came = -1;
  MPI_Request request;
  MPI_Irecv(&came, 1, MPI_INT, (rank + size - 1) % size, 1, communicator, &request);
  MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 1, communicator);
  armci_msg_group_barrier(group);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(came == ARMCI_Absolute_id(group, (rank + size - 1) % size));
}

void test_communicators(void) {
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  send_around(&world);

  ARMCI_Group half;
  int members[MAX_PROCESSES];
  int count = 0;
  for (int i = 0; i < processes; ++i) {
    if (i % 2 == me % 2) members[count++] = i;
  }
  ARMCI_Group_create(count, members, &half);
  send_around(&half);
  ARMCI_Group_free(&half);

  /* The processes of a node in a row: those that the tests pretend are one. */
  const int first = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, armci_domain_my_id(ARMCI_DOMAIN_SMP), 0);
  const int here = armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1);
  int word = me == first ? 1000 + first : 0;
  armci_grp_clus_brdcst(&word, sizeof word, first, here, &world);
  CHECK(word == 1000 + first);
}
