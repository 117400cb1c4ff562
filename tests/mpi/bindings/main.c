/* SPDX-License-Identifier: BSD-3-Clause
 * The C interface as a C program uses it: `bindings_test RANKS`. All tests run under several settings of the
 * runtime. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"

static void set_options(int setting, stretto_options* options) {
  DONE(stretto_options_init(options));
  CHECK(options->progress == STRETTO_DEFAULT && options->path == STRETTO_DEFAULT);
  options->report_after_s = 30;
  if (setting == 1) {
    options->node_ranks = 1;
    options->progress = STRETTO_PROGRESS_POLL;
  } else if (setting == 2) {
    options->node_ranks = 2;
    options->segment_bytes = 1024;
    options->outstanding = 4;
    options->contexts = 3;
  } else if (setting == 3) {
    options->path = STRETTO_PATH_MESSAGE;
    options->progress = STRETTO_PROGRESS_POLL;
    options->segment_bytes = 512;
  }
}

static void run_all(void) {
  static void (*const tests[])(void) = {
      test_names,         test_regions,          test_teams,
      test_counters,      test_contiguous,       test_strided,
      test_vectors,       test_handles,          test_accumulates,
      test_signals,       test_notifications,    test_atomics,
      test_aggregates,    test_mutexes,          test_refusals,
      test_completion,    test_flags,            test_protocols,
      test_values,        test_team_collectives,
#ifdef WITH_KERNELS
      test_transforms,    test_products,
#endif
      test_own_memory,    test_remote_functions, test_sizes,
      test_refused_alone, test_interrupted_waits,
  };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
    tests[i]();
    DONE(stretto_barrier(runtime));
  }
}

/* The first is what a program gets that asks for nothing, and the last is created by the communicator's
 * handle in Fortran. */
static void run_under(int setting) {
  stretto_options options;
  set_options(setting, &options);
  if (setting == 0) {
    DONE(stretto_runtime_create(MPI_COMM_WORLD, NULL, &runtime));
  } else if (setting == 3) {
    DONE(stretto_runtime_create_fortran(MPI_Comm_c2f(MPI_COMM_WORLD), &options, &runtime));
  } else {
    DONE(stretto_runtime_create(MPI_COMM_WORLD, &options, &runtime));
  }
  me = stretto_rank(runtime);
  ranks = stretto_size(runtime);
  stretto_options effective;
  DONE(stretto_options_effective(runtime, &effective));
  CHECK(effective.progress != STRETTO_DEFAULT && effective.segment_bytes >= 256 &&
        effective.outstanding >= 1 && effective.contexts == (setting == 2 ? 3 : 1));
  CHECK(setting == 0 || effective.node_ranks == options.node_ranks);
  run_all();
  DONE(stretto_runtime_free(&runtime));
  CHECK(runtime == NULL);
}

int main(int argc, char** argv) {
  int world = 0;
  DONE(stretto_mpi_start(&world));
  DONE(stretto_mpi_start(&world)); /* as a program does that has initialised MPI */
  CHECK(MPI_Comm_f2c(world) == MPI_COMM_WORLD);
  const int expected = argc > 1 ? atoi(argv[1]) : 0;
  /* Many ranks on few cores: what they wait for each other shows nothing new under every setting. */
  const int step = expected > 4 ? 2 : 1;
  for (int setting = 0; setting < 4; setting += step) run_under(setting);
  if (ranks != expected) {
    fprintf(stderr, "this run has %d ranks, and should have %d\n", ranks, expected);
    failures = 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && failures == 0) printf("all tests of the C interface passed on %d ranks\n", ranks);
  stretto_mpi_end();
  stretto_mpi_end();
  return failures == 0 ? 0 : 1;
}
