/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that others run here, and what they call. */
#include <string.h>

#include "hostile.h"

enum { HOPS = 200 };

static stretto_region* places;
static stretto_remote_function* chain;
static int runs;

/* Puts, adds, raises, notifies and passes the call on. */
static void pass_on(int source, const void* payload, size_t size_bytes, void* context) {
  int hop = 0;
  CHECK(size_bytes == sizeof hop && context == &runs);
  memcpy(&hop, payload, sizeof hop);
  CHECK(source >= 0 && source < ranks);
  ++*(int*)context;
  const int64_t one = 1;
  DONE(stretto_implicit_accumulate(places, source, 0, &one, sizeof one, STRETTO_INT64, NULL));
  DONE(stretto_raise_signal(places, source, 8, 1, STRETTO_FLAG_ADD));
  if (--hop > 0) DONE(stretto_remote_function_call(chain, right_rank(), &hop, sizeof hop));
  if (hop == 0)
    DONE(stretto_raise_signal(places, (me + ranks - HOPS % ranks) % ranks, 16, 1, STRETTO_FLAG_SET));
}

void callbacks_that_start(void) {
  const int hops = HOPS;
  places = new_region(24);
  DONE(stretto_remote_function_create(runtime, pass_on, &runs, &chain));
  DONE(stretto_barrier(runtime)); /* or it runs where `chain` is not known yet */
  DONE(stretto_remote_function_call(chain, right_rank(), &hops, sizeof hops));
  DONE(stretto_wait_signal(places, 16, 1, NULL));
  DONE(stretto_wait_signal(places, 8, HOPS, NULL));
  DONE(stretto_barrier(runtime));
  DONE(stretto_wait_implicit_all(runtime));
  DONE(stretto_barrier(runtime));
  CHECK(runs == HOPS && *(int64_t*)local_part(places) == HOPS);
  DONE(stretto_remote_function_free(&chain));
  free_region(places);
}
