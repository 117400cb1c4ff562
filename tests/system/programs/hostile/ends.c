/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that begin or end as none should: `ends CASE`. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stretto/stretto.h>
#include <string.h>
#include <unistd.h>

static stretto_runtime* runtime;
static stretto_region* region;
static int me;
static int ranks;

static int refused(const char* when) {
  stretto_runtime* early = NULL;
  const int code = stretto_runtime_create(MPI_COMM_WORLD, NULL, &early);
  printf("%s: %s: %s\n", when, stretto_error_name(code), stretto_error_message());
  return code == STRETTO_SUCCESS || early != NULL;
}

static void begin(void) {
  int world = 0;
  stretto_mpi_start(&world);
  stretto_options options;
  stretto_options_init(&options);
  options.node_ranks = 1;
  options.report_after_s = 0;
  if (stretto_runtime_create(MPI_COMM_WORLD, &options, &runtime) != STRETTO_SUCCESS) abort();
  if (stretto_region_create(runtime, 1 << 20, &region) != STRETTO_SUCCESS) abort();
  me = stretto_rank(runtime);
  ranks = stretto_size(runtime);
  stretto_barrier(runtime);
}

static void start_something(void) {
  static char data[1 << 20];
  stretto_handle* handle = NULL;
  stretto_nonblocking_put(region, (me + 1) % ranks, 0, data, sizeof data, &handle);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (strcmp(how, "before") == 0) {
    int failed = refused("before MPI_Init");
    begin();
    failed |= stretto_region_free(&region) | stretto_runtime_free(&runtime);
    stretto_mpi_end();
    failed |= refused("after MPI_Finalize");
    int world = 0;
    const int code = stretto_mpi_start(&world);
    printf("again: %s: %s\n", stretto_error_name(code), stretto_error_message());
    stretto_mpi_end();
    return failed;
  }
  begin();
  if (strcmp(how, "returns") == 0) {
    start_something();
    return 5;
  }
  if (strcmp(how, "exits_alone") == 0) {
    start_something();
    if (me == 1) exit(6);
  }
  if (strcmp(how, "exits_at_once") == 0 && me == 1) _exit(7);
  if (strcmp(how, "finalizes") == 0) MPI_Finalize();
  printf("waits %ld\n", (long)getpid());
  stretto_wait_signal(region, 0, 1, NULL);
  puts("the wait has ended");
  return 0;
}
