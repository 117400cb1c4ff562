/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that use ARMCI in ways that nobody would plan: `armci CASE`, with the runtime's options in the
 * environment. */
#include <armci.h>
#include <limits.h>
#include <message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64 };

static int me;
static int processes;
static int failures;
static void* memory[MOST];

static void check(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "armci.c:%d: process %d: does not hold: %s\n", line, me, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static int right(void) { return (me + 1) % processes; }

/* Before ARMCI_Init and after the last ARMCI_Finalize. */
static void outside(void) {
  int value = 0;
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  CHECK(ARMCI_Initialized() == 0);
  CHECK(ARMCI_Malloc(memory, 8) != 0);
  CHECK(ARMCI_Free(&value) != 0);
  CHECK(ARMCI_Put(&value, &value, 4, 0) != 0);
  CHECK(ARMCI_NbGet(&value, &value, 4, 0, &handle) != 0);
  CHECK(ARMCI_Rmw(ARMCI_SWAP, &value, &value, 0, 0) != 0);
  CHECK(ARMCI_WaitAll() != 0 && ARMCI_WaitProc(0) != 0);
  CHECK(ARMCI_Create_mutexes(1) != 0 && ARMCI_Destroy_mutexes() != 0);
}

/* Parts of no byte, of one process alone, and twice as many as anybody frees in their order. */
static void memory_of_any_size(void) {
  enum { SETS = 40 };
  static void* sets[SETS][MOST];
  for (int i = 0; i < SETS; ++i) {
    const int mine = i % processes == me || i == SETS - 1;
    CHECK(ARMCI_Malloc(sets[i], mine ? 1000 + i : 0) == 0);
    for (int process = 0; process < processes; ++process) {
      CHECK((sets[i][process] != NULL) == (i % processes == process || i == SETS - 1));
    }
  }
  const int last = (SETS - 1) % processes;
  int value = 100 + me;
  CHECK(ARMCI_Put(&value, (char*)sets[SETS - 1][right()] + 4, 4, right()) == 0);
  CHECK(ARMCI_Put(&value, (char*)sets[SETS - 1][last] + 1000 + SETS, 4, last) != 0);
  CHECK(ARMCI_Put(&value, NULL, 0, right()) != 0);
  CHECK(ARMCI_Put(&value, sets[SETS - 1][right()], 0, right()) == 0);
  CHECK(ARMCI_Put(&value, sets[SETS - 1][right()], INT_MAX, right()) != 0);
  CHECK(ARMCI_Put(&value, sets[SETS - 1][right()], INT_MIN, right()) != 0);
  CHECK(ARMCI_Put(&value, sets[SETS - 1][right()], 4, INT_MIN) != 0);
  ARMCI_Barrier();
  CHECK(((int*)sets[SETS - 1][me])[1] == 100 + (me + processes - 1) % processes);
  for (int i = SETS; i-- > 0;) {
    void* const mine = sets[i][me];
    if (mine == NULL) {
      CHECK(ARMCI_Free(NULL) == 0);
    } else {
      CHECK(ARMCI_Free(mine) == 0);
    }
  }
}

/* Counts the ends; the last ones free what is left, and ARMCI begins again. */
static void begun_and_ended_again(void) {
  double value = me;
  for (int round = 0; round < 3; ++round) {
    CHECK(ARMCI_Init() == 0 && ARMCI_Init() == 0);
    ARMCI_Finalize();
    ARMCI_Finalize();
    CHECK(ARMCI_Initialized() != 0);
    CHECK(ARMCI_Malloc(memory, 64) == 0);
    CHECK(ARMCI_NbPut(&value, memory[right()], 8, right(), NULL) == 0);
    ARMCI_Finalize(); /* with memory, and an operation that is pending */
    CHECK(ARMCI_Initialized() == 0);
    outside();
    CHECK(ARMCI_Init() == 0);
  }
}

/* A child ends while the parent's operations are pending. */
static void forked(void) {
  static char data[1 << 20];
  int status = 0;
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  CHECK(ARMCI_Malloc(memory, sizeof data) == 0);
  memset(data, 1 + me, sizeof data);
  CHECK(ARMCI_NbPut(data, memory[right()], sizeof data, right(), &handle) == 0);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) exit(4);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 4);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_Barrier();
  const char* const mine = memory[me];
  CHECK(mine[0] == 1 + (me + processes - 1) % processes && mine[sizeof data - 1] == mine[0]);
  CHECK(ARMCI_Free(memory[me]) == 0);
}

/* Groups of nobody, of one, of all backwards, and of a group; memory of each. */
static void groups_of_any_size(void) {
  ARMCI_Group none;
  ARMCI_Group alone;
  ARMCI_Group backwards;
  ARMCI_Group child;
  int list[MOST];
  int rank = 7;
  int size = 7;
  for (int i = 0; i < processes; ++i) list[i] = processes - 1 - i;
  ARMCI_Group_create(0, list, &none);
  CHECK(ARMCI_Group_rank(&none, &rank) != 0);
  ARMCI_Group_create(1, &me, &alone);
  ARMCI_Group_size(&alone, &size);
  CHECK(ARMCI_Group_rank(&alone, &rank) == 0 && rank == 0 && size == 1);
  ARMCI_Group_create(processes, list, &backwards);
  CHECK(ARMCI_Group_rank(&backwards, &rank) == 0 && rank == processes - 1 - me);
  CHECK(ARMCI_Absolute_id(&backwards, rank) == me);
  for (int i = 0; i < processes; ++i) list[i] = i;
  ARMCI_Group_create_child((processes + 1) / 2, list, &child, &backwards);
  if (ARMCI_Group_rank(&child, &rank) == 0) {
    void* shared[MOST];
    ARMCI_Group_size(&child, &size);
    CHECK(ARMCI_Malloc_group(shared, 8, &child) == 0);
    const int next = (rank + 1) % size;
    const int process = ARMCI_Absolute_id(&child, next);
    long value = me;
    CHECK(ARMCI_Put(&value, shared[next], 8, process) == 0);
    ARMCI_GroupFence(&child);
    armci_msg_group_barrier(&child);
    CHECK(*(long*)shared[rank] == ARMCI_Absolute_id(&child, (rank + size - 1) % size));
    CHECK(ARMCI_Free_group(shared[rank], &child) == 0);
    ARMCI_Group_free(&child);
  }
  ARMCI_Group_free(&backwards);
  ARMCI_Group_free(&alone);
  ARMCI_Barrier();
}

static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    {"memory_of_any_size", memory_of_any_size},
    {"begun_and_ended_again", begun_and_ended_again},
    {"forked", forked},
    {"groups_of_any_size", groups_of_any_size},
};

int main(int argc, char** argv) {
  outside();
  if (ARMCI_Init_args(&argc, &argv) != 0) return 9;
  me = armci_msg_me();
  processes = armci_msg_nproc();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (argc > 1 && strcmp(cases[i].name, argv[1]) == 0) cases[i].run();
  }
  ARMCI_Finalize();
  outside();
  armci_msg_finalize();
  if (failures == 0) puts("holds");
  return failures == 0 ? 0 : 1;
}
