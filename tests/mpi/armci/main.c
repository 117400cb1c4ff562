/* SPDX-License-Identifier: BSD-3-Clause
 * The ARMCI API as a C program uses it, in the manner of ARMCI's own suite: `armci_test RANKS`. All tests run
 * under several settings of the runtime, one ARMCI_Init to ARMCI_Finalize each. MPI is left to ARMCI. */
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"

int me;
int processes;
int failures;

static unsigned long state;

void check(int holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "%s:%d: process %d: does not hold: %s\n", file, line, me, what);
  fflush(stderr);
}

int right_neighbour(void) { return (me + 1) % processes; }
int left_neighbour(void) { return (me + processes - 1) % processes; }

int pseudo_random(int below) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((state >> 33) % (unsigned long)below);
}

typedef struct {
  const char* name;
  const char* value;
} variable_t;

#define VARIABLES 4
#ifdef STRETTO_SIMGRID
#define HELPED "poll"
#else
#define HELPED "thread"
#endif

/* The first is what a program gets that asks for nothing. */
static const variable_t settings[][VARIABLES] = {
    {{NULL, NULL}},
    {{"STRETTO_NODE_RANKS", "1"}, {"STRETTO_PROGRESS", "poll"}},
    {{"STRETTO_NODE_RANKS", "2"},
     {"STRETTO_PROGRESS", HELPED},
     {"STRETTO_SEGMENT_BYTES", "1024"},
     {"STRETTO_OUTSTANDING", "4"}},
    {{"STRETTO_PATH", "message"}, {"STRETTO_PROGRESS", "poll"}, {"STRETTO_SEGMENT_BYTES", "512"}},
};

static void run_all(void) {
  static void (*const tests[])(void) = {
      test_memory,        test_strided,       test_vector,       test_values,          test_accumulate,
      test_nonblocking,   test_aggregate,     test_atomics,      test_mutexes,         test_flags,
      test_notify,        test_messages,      test_collectives,  test_groups,          test_domains,
      test_communicators, test_noncollective, test_second_names, test_every_reduction, test_extensions,
      test_refusals,      test_same_memory,   test_short_memory,
#ifndef STRETTO_SIMGRID
      test_threads,
#endif
  };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    state = 20031103UL + i;
    tests[i]();
    ARMCI_Barrier();
  }
}

static void run_under(const variable_t* setting) {
  for (int i = 0; i < VARIABLES && setting[i].name != NULL; ++i) setenv(setting[i].name, setting[i].value, 1);
  CHECK(ARMCI_Initialized() == 0);
  CHECK(ARMCI_Init() == 0);
  CHECK(ARMCI_Init() == 0); /* counts */
  CHECK(ARMCI_Initialized() != 0);
  me = armci_msg_me();
  processes = armci_msg_nproc();
  ARMCI_Finalize();
  CHECK(ARMCI_Initialized() != 0);
  run_all();
  armci_msg_igop(&failures, 1, "max");
  ARMCI_Finalize();
  CHECK(ARMCI_Initialized() == 0);
  for (int i = 0; i < VARIABLES && setting[i].name != NULL; ++i) unsetenv(setting[i].name);
}

int main(int argc, char** argv) {
  const int wanted = argc > 1 ? atoi(argv[1]) : 0;
  /* Many processes on few cores: what they wait for each other says nothing new under every setting. */
  const size_t step = wanted > 4 ? 2 : 1;
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i += step) {
    run_under(settings[i]);
    if (processes != wanted) {
      fprintf(stderr, "this run has %d processes, and should have %d\n", processes, wanted);
      failures = 1;
      break;
    }
  }
  if (me == 0 && failures == 0) printf("all ARMCI tests passed on %d processes\n", processes);
  armci_msg_finalize();
  return failures == 0 ? 0 : 1;
}
