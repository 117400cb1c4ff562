/* SPDX-License-Identifier: BSD-3-Clause
 * Every function of the C interface with each of its arguments wrong, one at a time, on all ranks alike; and
 * objects of another runtime. Each call must return an error, and change nothing: afterwards all still works.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wrong_arguments.h"

int ranks;
size_t numbers_in;
stretto_runtime *runtime, *made_runtime, *no_runtime;
stretto_region *region, *made_region, *no_region;
stretto_team *team, *made_team, *no_team;
stretto_aggregate *aggregate, *made_aggregate, *no_aggregate;
stretto_mutexes *mutexes, *made_mutexes, *no_mutexes;
stretto_remote_function *remote, *made_remote, *no_remote_function;
stretto_fft *fft, *made_fft, *no_fft;
stretto_spmv *spmv, *made_spmv, *no_spmv;
stretto_request* made_request;
stretto_handle* made_handle;
stretto_handle* made_handles[16];
stretto_options options;
stretto_fft_settings fft_settings, other_fft_settings;
stretto_spmv_settings spmv_settings;
stretto_counters counters;
stretto_timers timers;
MPI_Comm made_communicator;
int all_ranks[16];
size_t counts[2] = {8, 2}, strides[1] = {8}, first[16];
int64_t bytes[64];
stretto_put_piece put_pieces[1] = {{bytes, 0, 8}};
stretto_get_piece get_pieces[1] = {{bytes, 0, 8}};
stretto_signal_condition conditions[1] = {{40, 0, STRETTO_GREATER_EQUAL}};
uint64_t start[2] = {0, 1};
uint32_t column[1] = {0};
double elements[1] = {1}, results[1];
int64_t memory[8];
double* fft_in;
double* fft_out;
int number;
int32_t narrow;
int64_t wide;
uint64_t unsigned_wide;
size_t size;
void* address;
const char* reason;

static int me;
static int calls;
static int failures;

void ignore_call(int source, const void* payload, size_t size_bytes, void* context) {
  (void)source, (void)payload, (void)size_bytes, (void)context;
}

void check_call(int refused, const char* call) {
  ++calls;
  if (refused) return;
  ++failures;
  fprintf(stderr, "rank %d: does not hold: refused: %s\n", me, call);
}

void check_named(int refused, const char* call, const char* argument) {
  const char* const message = stretto_error_message();
  const size_t length = strlen(argument);
  check_call(refused, call);
  if (!refused || (strncmp(message, argument, length) == 0 && message[length] == ':')) return;
  ++failures;
  fprintf(stderr, "rank %d: does not hold: %s is named: %s: %s\n", me, argument, call, message);
}

static void must(int code, const char* call) {
  if (code == STRETTO_SUCCESS) return;
  fprintf(stderr, "rank %d: does not hold: done: %s: %s\n", me, call, stretto_error_message());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define MUST(call) must((call), #call)

static void make_objects(void) {
  MUST(stretto_options_init(&options));
  MUST(stretto_runtime_create(MPI_COMM_WORLD, NULL, &runtime));
  me = stretto_rank(runtime);
  ranks = stretto_size(runtime);
  for (int i = 0; i < ranks; ++i) all_ranks[i] = i;
  MUST(stretto_region_create(runtime, 64, &region));
  MUST(stretto_team_world(runtime, &team));
  MUST(stretto_aggregate_create(runtime, &aggregate));
  MUST(stretto_mutexes_create(runtime, 1, &mutexes));
  MUST(stretto_remote_function_create(runtime, ignore_call, NULL, &remote));
  MUST(stretto_fft_settings_init(&fft_settings));
  for (int i = 0; i < 3; ++i) fft_settings.size[i] = 8;
  fft_settings.effort = STRETTO_FFT_ESTIMATE;
  MUST(stretto_fft_create(runtime, &fft_settings, &fft));
  size_t count[3];
  MUST(stretto_fft_input(fft, first, count));
  numbers_in = count[0] * count[1] * count[2];
  fft_in = calloc(2 * numbers_in, sizeof *fft_in);
  fft_out = calloc(2 * numbers_in, sizeof *fft_out);
  MUST(stretto_spmv_create(runtime, 1, start, column, elements, 1, NULL, &spmv));
}

static void mix_runtimes(void) {
  stretto_region* foreign = NULL;
  MUST(stretto_runtime_create(MPI_COMM_WORLD, NULL, &made_runtime));
  MUST(stretto_region_create(made_runtime, 64, &foreign));
  MUST(stretto_team_world(made_runtime, &made_team));
  IS_REFUSED(stretto_aggregate_put(aggregate, foreign, 0, 0, bytes, 8));
  IS_REFUSED(stretto_team_translate(team, 0, made_team, &number));
  MUST(stretto_nonblocking_put(foreign, me, 0, bytes, 8, &made_handle));
  IS_REFUSED(stretto_wait(runtime, &made_handle));
  IS_REFUSED(stretto_test(runtime, &made_handle, &number));
  made_handles[0] = made_handle;
  IS_REFUSED(stretto_wait_all(runtime, 1, made_handles));
  IS_REFUSED(stretto_wait_any(runtime, 1, made_handles, &size));
  check_call(made_handle != NULL && made_handles[0] != NULL, "to end a handle by a call that is refused");
  MUST(stretto_wait(made_runtime, &made_handle));
  made_handles[0] = NULL;
  MUST(stretto_aggregate_create(made_runtime, &made_aggregate));
  MUST(stretto_aggregate_put(made_aggregate, foreign, me, 0, bytes, 8));
  IS_REFUSED(stretto_aggregate_wait(runtime, made_aggregate));
  MUST(stretto_aggregate_wait(made_runtime, made_aggregate));
  MUST(stretto_aggregate_free(&made_aggregate));
  MUST(stretto_team_free(&made_team));
  MUST(stretto_region_free(&foreign));
  MUST(stretto_runtime_free(&made_runtime));
}

static void check_that_nothing_has_happened(void) {
  int64_t* mine = NULL;
  uint64_t count = 0;
  MUST(stretto_aggregate_pending(aggregate, &number));
  if (number != 0) ++failures, fprintf(stderr, "rank %d: does not hold: no operation is pending\n", me);
  MUST(stretto_notify(runtime, (me + 1) % ranks, &count));
  if (count != 1) ++failures, fprintf(stderr, "rank %d: does not hold: no notification was sent\n", me);
  MUST(stretto_wait_notify(runtime, (me + ranks - 1) % ranks, &count));
  if (count != 1) ++failures, fprintf(stderr, "rank %d: does not hold: no notification was taken\n", me);
  MUST(stretto_barrier(runtime));
  MUST(stretto_region_local(region, &address, &size));
  mine = address;
  for (int i = 0; i < 8; ++i) {
    if (mine[i] != 0) ++failures, fprintf(stderr, "rank %d: does not hold: word %d is 0\n", me, i);
  }
  const int made = made_runtime || made_region || made_team || made_aggregate || made_mutexes ||
                   made_remote || made_fft || made_spmv || made_request || made_handle;
  if (made) ++failures, fprintf(stderr, "rank %d: does not hold: no object was made\n", me);
}

static void free_objects(void) {
  MUST(stretto_fft_forward(fft, fft_in, numbers_in, fft_out, numbers_in));
  MUST(stretto_spmv_multiply(spmv, elements, 1, results, 1));
  MUST(stretto_barrier(runtime));
  MUST(stretto_spmv_free(&spmv));
  MUST(stretto_fft_free(&fft));
  MUST(stretto_remote_function_free(&remote));
  MUST(stretto_mutexes_free(&mutexes));
  MUST(stretto_aggregate_free(&aggregate));
  MUST(stretto_team_free(&team));
  MUST(stretto_region_free(&region));
  MUST(stretto_runtime_free(&runtime));
}

int main(void) {
  MUST(stretto_mpi_start(&number));
  make_objects();
  call_everything_wrong();
  check_that_nothing_has_happened();
  mix_runtimes();
  free_objects();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && failures == 0) {
    printf("%d functions have refused %d wrong calls on %d ranks\n", functions_called, calls, ranks);
  }
  stretto_mpi_end();
  return failures == 0 ? 0 : 1;
}
