/* SPDX-License-Identifier: BSD-3-Clause
 * Messages and collectives, which must not keep a process from serving others. */
#include <stdint.h>
#include <string.h>

#include "checks.h"

void test_messages(void) {
  int sent[2] = {me, 17};
  int come[4] = {0};
  int bytes = 0;
  armci_msg_snd(3, sent, sizeof sent, me); /* to oneself, before it is received */
  armci_msg_rcv(3, come, sizeof come, &bytes, me);
  CHECK(bytes == (int)sizeof sent && come[0] == me && come[1] == 17);
  if (me > 0) {
    armci_msg_snd(4, sent, sizeof sent, 0);
  } else {
    int from_all = 0;
    for (int i = 1; i < processes; ++i) {
      const int from = armci_msg_rcvany(4, come, sizeof come, NULL);
      CHECK(come[0] == from);
      from_all += from;
    }
    CHECK(from_all == processes * (processes - 1) / 2);
  }
  CHECK(armci_timer() <= armci_timer());

  /* The last process waits for a message of one that first gets from it. */
  void* memory[MAX_PROCESSES];
  const int last = processes - 1;
  CHECK(ARMCI_Malloc(memory, sizeof(int)) == 0);
  *(int*)memory[me] = 40 + me;
  ARMCI_Barrier();
  if (me == last && last > 0) armci_msg_rcv(5, come, sizeof come, NULL, 0);
  if (me == 0 && last > 0) {
    CHECK(ARMCI_GetValueInt(memory[last], last) == 40 + last);
    armci_msg_snd(5, sent, sizeof sent, last);
  }
  if (me != 0 || last == 0) armci_msg_barrier(); /* so does a process that is in a barrier */
  if (me == 0 && last > 0) {
    for (int i = 0; i < processes; ++i) CHECK(ARMCI_GetValueInt(memory[i], i) == 40 + i);
    armci_msg_barrier();
  }
  CHECK(ARMCI_Free(memory[me]) == 0);
}

static void test_reductions(void) {
  const int n = processes;
  int ints[3] = {me + 1, -me, 1 << me};
  armci_msg_igop(ints, 2, "+");
  CHECK(ints[0] == n * (n + 1) / 2 && ints[1] == -n * (n - 1) / 2);
  armci_msg_gop_scope(SCOPE_ALL, ints + 2, 1, "or", ARMCI_INT);
  CHECK(ints[2] == (1 << n) - 1);
  long longs[2] = {me, me};
  armci_msg_lgop(longs, 1, "max");
  armci_msg_lgop(longs + 1, 1, "min");
  CHECK(longs[0] == n - 1 && longs[1] == 0);
  long long wide = (1LL << 40) + me;
  armci_msg_llgop(&wide, 1, "max");
  CHECK(wide == (1LL << 40) + n - 1);
  float half = me % 2 == 0 ? 0.5F : 2.0F;
  armci_msg_fgop(&half, 1, "*");
  CHECK(half == (n % 2 == 0 ? 1.0F : 0.5F));
  double parts[2] = {me - n, me - n};
  armci_msg_dgop(parts, 1, "absmax");
  armci_msg_reduce(parts + 1, 1, "absmin", ARMCI_DOUBLE);
  CHECK(parts[0] == n && parts[1] == 1);
}

static void test_scopes(void) {
  const int here = armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1);
  const int nodes = armci_domain_count(ARMCI_DOMAIN_SMP);
  const int first = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, armci_domain_my_id(ARMCI_DOMAIN_SMP), 0);
  int on_node = 1;
  armci_msg_clus_igop(&on_node, 1, "+");
  CHECK(on_node == here);
  double masters = 1;
  armci_msg_reduce_scope(SCOPE_MASTERS, &masters, 1, "+", ARMCI_DOUBLE);
  CHECK(masters == (me == first ? nodes : 1));
  int from = me;
  armci_msg_clus_brdcst(&from, sizeof from);
  CHECK(from == first);
  int root = 0;
  int up = 0;
  int left = 0;
  int right = 0;
  armci_msg_bintree(SCOPE_ALL, &root, &up, &left, &right);
  CHECK(root == 0 && up == (me == 0 ? -1 : (me - 1) / 2));
  CHECK(left == (2 * me + 1 < processes ? 2 * me + 1 : -1) &&
        right == (2 * me + 2 < processes ? 2 * me + 2 : -1));
  armci_msg_bintree(SCOPE_NODE, &root, &up, &left, &right);
  CHECK(root == first && (up == -1) == (me == first));
}

typedef struct {
  double key;
  int owner;
} candidate_t;

void test_collectives(void) {
  char text[8] = "";
  for (int root = 0; root < processes; ++root) {
    if (me == root) strcpy(text, "from me");
    armci_msg_brdcst(text, sizeof text, root);
    CHECK(strcmp(text, "from me") == 0);
    memset(text, 0, sizeof text);
    armci_msg_barrier();
  }
  test_reductions();
  test_scopes();
  candidate_t candidate = {-(double)me, me};
  armci_msg_sel(&candidate, sizeof candidate, "min", ARMCI_DOUBLE, 1);
  CHECK(candidate.owner == processes - 1);
  candidate.key = me;
  candidate.owner = me;
  armci_msg_sel(&candidate, sizeof candidate, "max", ARMCI_DOUBLE, me == 0); /* no other process contributes */
  CHECK(candidate.owner == 0 && candidate.key == 0);
  void* addresses[MAX_PROCESSES] = {0};
  addresses[me] = (void*)(uintptr_t)(8 * (me + 1));
  armci_exchange_address(addresses, processes);
  for (int i = 0; i < processes; ++i) CHECK(addresses[i] == (void*)(uintptr_t)(8 * (i + 1)));
}
