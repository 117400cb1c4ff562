/* SPDX-License-Identifier: BSD-3-Clause
 * The one-sided runtime in C: a put with a signal to the next rank, an aggregate of small gets, and a counter
 * of all ranks. Every call returns a code; 0 is success.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stretto/stretto.h>

enum { COUNT = 1000, EVERY = 10, FLAG = COUNT * sizeof(double), COUNTER = FLAG + 8, BYTES = COUNTER + 8 };

/* Ends the program with the message of an error. */
static void check(int code) {
  if (code == STRETTO_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", stretto_error_name(code), stretto_error_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int exchange(stretto_runtime* runtime) {
  const int me = stretto_rank(runtime);
  const int ranks = stretto_size(runtime);
  const int right = (me + 1) % ranks;
  const int left = (me + ranks - 1) % ranks;
  stretto_region* region = NULL;
  check(stretto_region_create(runtime, BYTES, &region));

  /* The flag is raised at the target once the data is there. */
  double row[COUNT];
  for (int i = 0; i < COUNT; ++i) row[i] = 1000.0 * me + i;
  stretto_handle* handle = NULL;
  check(
      stretto_nonblocking_put_signal(region, right, 0, row, sizeof row, FLAG, 1, STRETTO_FLAG_ADD, &handle));
  double sum = 0;
  for (int i = 0; i < COUNT; ++i) sum += row[i]; /* computes while the data moves */
  check(stretto_wait(runtime, &handle));         /* row may be changed now */
  check(stretto_wait_signal(region, FLAG, 1, NULL));
  void* local = NULL;
  size_t size_bytes = 0;
  check(stretto_region_local(region, &local, &size_bytes));
  int wrong = ((double*)local)[COUNT - 1] != 1000.0 * left + COUNT - 1 || sum != 1000.0 * COUNT * me + 499500;
  check(stretto_barrier(runtime));

  /* Many small gets leave as one request when they are waited for. */
  double every[COUNT / EVERY];
  stretto_aggregate* gets = NULL;
  check(stretto_aggregate_create(runtime, &gets));
  for (size_t i = 0; i < COUNT / EVERY; ++i) {
    check(stretto_aggregate_get(gets, region, right, i * EVERY * sizeof(double), &every[i], sizeof(double)));
  }
  check(stretto_aggregate_wait(runtime, gets));
  check(stretto_aggregate_free(&gets));
  for (int i = 0; i < COUNT / EVERY; ++i) wrong += every[i] != 1000.0 * me + EVERY * i;

  /* Every rank draws a number from the first rank's counter. */
  int64_t ticket = -1;
  check(stretto_fetch_add_int64(region, 0, COUNTER, 1, &ticket));
  wrong += ticket < 0 || ticket >= ranks;
  check(stretto_barrier(runtime)); /* no rank needs the region any more */
  check(stretto_region_free(&region));
  return wrong;
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided); /* allows a progress thread */
  stretto_runtime* runtime = NULL;
  check(stretto_runtime_create(MPI_COMM_WORLD, NULL, &runtime));
  int wrong = exchange(runtime);
  const int me = stretto_rank(runtime);
  check(stretto_runtime_free(&runtime));
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf(wrong == 0 ? "runtime (C): puts, gets and the counter agree\n" : "WRONG\n");
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
