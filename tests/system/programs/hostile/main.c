/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that use the C interface in ways that nobody would plan: `hostile CASE [PATH|- [PROGRESS|-]]`, on
 * any number of ranks. Each rank prints "holds" where the promises of docs/runtime.md and stretto/stretto.h
 * held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hostile.h"

stretto_options options;

void sleep_ms(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

typedef struct {
  const char* name;
  void (*run)(void);
} Case;
#define CASE(name) \
  { #name, name }

static const Case cases[] = {
    CASE(threads_and_collectives),
    CASE(one_thread_waits_for_another),
    CASE(callbacks_that_start),
    CASE(nothing_at_all),
    CASE(communicators),
    CASE(different_options),
    CASE(flags_at_once),
    CASE(signals_every_millisecond),
    CASE(forked),
    CASE(out_of_order),
};

static int index_of(const char* const names[], int count, const char* name) {
  for (int i = 0; i < count; ++i) {
    if (strcmp(names[i], name) == 0) return i;
  }
  return STRETTO_DEFAULT;
}

static void read_options(int argc, char** argv) {
  static const char* const paths[] = {"direct", "rma", "message"};
  static const char* const modes[] = {"none", "poll", "thread"};
  DONE(stretto_options_init(&options));
  options.report_after_s = 60;
  if (argc > 2) options.path = index_of(paths, 3, argv[2]);
  if (options.path != STRETTO_PATH_DIRECT && options.path != STRETTO_DEFAULT) options.node_ranks = 1;
  if (argc > 3) options.progress = index_of(modes, 3, argv[3]);
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  read_options(argc, argv);
  DONE(stretto_runtime_create(MPI_COMM_WORLD, &options, &runtime));
  me = stretto_rank(runtime);
  ranks = stretto_size(runtime);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (argc > 1 && strcmp(cases[i].name, argv[1]) == 0) cases[i].run();
  }
  DONE(stretto_barrier(runtime));
  DONE(stretto_runtime_free(&runtime));
  CHECK(runtime == NULL);
  MPI_Finalize();
  if (failures == 0) puts("holds");
  return failures == 0 ? 0 : 1;
}
