/* SPDX-License-Identifier: BSD-3-Clause
 * One rank alone refuses a collective call: all ranks report the error, and the others name the rank. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "checks.h"

static int one; /* the rank that refuses */

/* `code` is what the call has returned: an error of this kind, everywhere. */
static void check_all_refuse(int expected, int code, const char* what) {
  char name[32];
  snprintf(name, sizeof name, "at rank %d: ", one);
  const int named = strstr(stretto_error_message(), name) != NULL;
  check(code == expected && (me == one || named), what, __FILE__, __LINE__);
  if (code != expected || (me != one && !named)) {
    fprintf(stderr, "  %s: %s\n", stretto_error_name(code), stretto_error_message());
  }
}
#define ALL_REFUSE(call) check_all_refuse(STRETTO_ERROR_ARGUMENT, (call), #call)

/* NULL on the rank that refuses. */
#define UNLESS_ONE(pointer) (me == one ? NULL : (pointer))

static void check_regions(void) {
  stretto_region* region = NULL;
  stretto_team* team = NULL;
  stretto_team* part = NULL;
  _Alignas(8) char memory[16];
  DONE(stretto_team_world(runtime, &team));
  ALL_REFUSE(stretto_region_create(runtime, 8, UNLESS_ONE(&region)));
  ALL_REFUSE(stretto_region_create(runtime, me == one ? SIZE_MAX : 8, &region));
  ALL_REFUSE(stretto_region_create_on(team, 8, UNLESS_ONE(&region)));
  ALL_REFUSE(stretto_region_create_on(team, me == one ? SIZE_MAX : 8, &region));
  ALL_REFUSE(stretto_region_create_over(runtime, UNLESS_ONE(memory), 8, &region));
  ALL_REFUSE(stretto_region_create_over(runtime, memory + (me == one), 8, &region));
  ALL_REFUSE(stretto_team_split(team, 0, 0, UNLESS_ONE(&part)));
  CHECK(region == NULL && part == NULL);
  DONE(stretto_team_free(&team));
}

static void check_runtimes(void) {
  stretto_runtime* other = NULL;
  stretto_options options;
  DONE(stretto_options_init(&options));
  ALL_REFUSE(stretto_runtime_create(MPI_COMM_WORLD, NULL, UNLESS_ONE(&other)));
  options.progress = me == one ? 7 : STRETTO_DEFAULT;
  ALL_REFUSE(stretto_runtime_create(MPI_COMM_WORLD, &options, &other));
  options.progress = STRETTO_DEFAULT;
  options.path = me == one ? INT_MIN : STRETTO_DEFAULT;
  ALL_REFUSE(stretto_runtime_create(MPI_COMM_WORLD, &options, &other));
  options.path = STRETTO_DEFAULT;
  options.segment_bytes = me == one ? 1 : 1024;
  ALL_REFUSE(stretto_runtime_create(MPI_COMM_WORLD, &options, &other));
  CHECK(other == NULL);
}

static void ignore_call(int source, const void* payload, size_t size_bytes, void* context) {
  (void)source, (void)payload, (void)size_bytes, (void)context;
}

static void check_others(void) {
  stretto_mutexes* mutexes = NULL;
  stretto_remote_function* remote = NULL;
  ALL_REFUSE(stretto_mutexes_create(runtime, 1, UNLESS_ONE(&mutexes)));
  ALL_REFUSE(stretto_remote_function_create(runtime, me == one ? NULL : ignore_call, NULL, &remote));
  CHECK(mutexes == NULL && remote == NULL);
  DONE(stretto_mutexes_create(runtime, 1, &mutexes));
  if (me == one) DONE(stretto_mutexes_lock(mutexes, me, 0));
  check_all_refuse(STRETTO_ERROR_HANDLE, stretto_mutexes_free(&mutexes), "a mutex is held");
  if (me == one) DONE(stretto_mutexes_unlock(mutexes, me, 0));
  DONE(stretto_mutexes_free(&mutexes));
}

#ifdef WITH_KERNELS
static void check_kernels(void) {
  stretto_fft_settings settings;
  stretto_spmv_settings products;
  stretto_fft* fft = NULL;
  stretto_spmv* spmv = NULL;
  const uint64_t start[] = {0};
  DONE(stretto_fft_settings_init(&settings));
  for (int i = 0; i < 3; ++i) settings.size[i] = 16;
  ALL_REFUSE(stretto_fft_create(runtime, UNLESS_ONE(&settings), &fft));
  ALL_REFUSE(stretto_fft_create(runtime, &settings, UNLESS_ONE(&fft)));
  settings.batch = me == one ? 0 : 1;
  ALL_REFUSE(stretto_fft_create(runtime, &settings, &fft));
  ALL_REFUSE(stretto_fft_create_tuned(runtime, &settings, NULL, &fft));
  DONE(stretto_spmv_settings_init(&products));
  products.prefetch = me == one ? 0 : 1;
  ALL_REFUSE(stretto_spmv_create(runtime, 0, start, NULL, NULL, 0, &products, &spmv));
  ALL_REFUSE(stretto_spmv_create(runtime, 0, UNLESS_ONE(start), NULL, NULL, 0, NULL, &spmv));
  ALL_REFUSE(stretto_spmv_create_tuned(runtime, 0, UNLESS_ONE(start), NULL, NULL, 0, &spmv));
  CHECK(fft == NULL && spmv == NULL);
}
#endif

void test_refused_alone(void) {
  for (one = 0; one<ranks; one += ranks> 1 ? ranks - 1 : 1) {
    check_regions();
    check_runtimes();
    check_others();
#ifdef WITH_KERNELS
    check_kernels();
#endif
    DONE(stretto_barrier(runtime));
  }
}
