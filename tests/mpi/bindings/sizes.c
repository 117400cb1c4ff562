/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes whose sums and products wrap around, or that no memory has, are refused by name. wrong_arguments.py
 * has those of one argument alone. */
#include <stdint.h>

#include "checks.h"

#define WRONG(argument, call) REFUSED(STRETTO_ERROR_ARGUMENT, argument ": ", call)

static void check_regions(void) {
  stretto_region* region = NULL;
  WRONG("size_bytes", stretto_region_create(runtime, SIZE_MAX - 259, &region));
  CHECK(region == NULL);
  /* Of a size that an address can have, and that no machine has. */
  const int code = stretto_region_create(runtime, (size_t)1 << 46, &region);
  CHECK(code == STRETTO_ERROR_MEMORY || code == STRETTO_ERROR_MPI);
  CHECK(region == NULL);
}

static void check_transfers(void) {
  stretto_region* region = new_region(64);
  char byte = 0;
  const size_t counts[] = {8, SIZE_MAX / 8 + 2};
  const size_t strides[] = {SIZE_MAX / 2};
  const stretto_put_piece pieces[] = {{&byte, 0, SIZE_MAX}, {&byte, 0, 2}};
  WRONG("place", stretto_get(region, right_rank(), 8, &byte, SIZE_MAX - 7));
  WRONG("shape", stretto_put_strided(region, right_rank(), 0, &byte, 1, counts, strides, strides));
  WRONG("shape", stretto_put_vector(region, right_rank(), 2, pieces));
  WRONG("flag", stretto_put_signal(region, right_rank(), 0, &byte, 1, SIZE_MAX - 7, 1, STRETTO_FLAG_SET));
  free_region(region);
}

static void check_collectives(void) {
  stretto_mutexes* mutexes = NULL;
  stretto_team* team = NULL;
  int64_t number[MAX_RANKS] = {0};
  int64_t result[MAX_RANKS] = {0};
  WRONG("count", stretto_mutexes_create(runtime, me == 0 ? SIZE_MAX / 8 + 1 : 0, &mutexes));
  CHECK(mutexes == NULL);
  DONE(stretto_team_world(runtime, &team));
  WRONG("mine", stretto_team_allreduce(team, number, result, SIZE_MAX / 64, STRETTO_INT64, STRETTO_SUM));
  WRONG("data", stretto_team_broadcast(team, number, (size_t)1 << 32, 0));
  DONE(stretto_team_free(&team));
}

#ifdef WITH_KERNELS
static void check_kernels(void) {
  stretto_fft_settings settings;
  stretto_fft* fft = NULL;
  DONE(stretto_fft_settings_init(&settings));
  for (int i = 0; i < 3; ++i) settings.size[i] = (size_t)1 << 30;
  WRONG("settings", stretto_fft_create(runtime, &settings, &fft));
  for (int i = 0; i < 3; ++i) settings.size[i] = 16;
  settings.batch = SIZE_MAX / 4096 + 1;
  WRONG("settings", stretto_fft_create(runtime, &settings, &fft));
  settings.batch = (size_t)1 << 60;
  WRONG("settings", stretto_fft_create_tuned(runtime, &settings, NULL, &fft));
  settings.batch = 1;
  settings.size[0] = settings.size[1] = 1 << 24;
  settings.size[2] = 8;
  settings.grid[0] = 641; /* times 6700417 is 2^32 + 1 */
  settings.grid[1] = 6700417;
  WRONG("settings", stretto_fft_create(runtime, &settings, &fft));
  CHECK(fft == NULL);
}
#endif

void test_sizes(void) {
  check_regions();
  check_transfers();
  check_collectives();
#ifdef WITH_KERNELS
  check_kernels();
#endif
}
