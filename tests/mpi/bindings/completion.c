/* SPDX-License-Identifier: BSD-3-Clause
 * Completion at the source and at the target, nonblocking fences, protocols, and waits for several flags. */
#include <string.h>

#include "checks.h"

void test_completion(void) {
  enum { BYTES = 3000 };
  stretto_region* region = new_region(BYTES);
  char data[BYTES];
  int complete = 0;
  uint64_t count = 0;
  for (int way = 0; way < 4; ++way) {
    stretto_handle* handle = NULL;
    stretto_handle* fences[MAX_RANKS] = {NULL};
    size_t started = 0;
    memset(data, 10 * way + me, sizeof data);
    DONE(stretto_nonblocking_put(region, right_rank(), 0, data, sizeof data, &handle));
    if (way == 0) {
      DONE(stretto_wait_source(handle));
      CHECK(handle != NULL);
      DONE(stretto_test_source(handle, &complete));
      CHECK(complete == 1);
      DONE(stretto_wait_remote(&handle));
    } else if (way == 1) {
      for (complete = 0; !complete;) DONE(stretto_test_remote(&handle, &complete));
    } else if (way == 2) {
      DONE(stretto_nonblocking_fence(runtime, right_rank(), &fences[0]));
      DONE(stretto_wait(runtime, &fences[0]));
      DONE(stretto_wait(runtime, &handle));
    } else {
      DONE(stretto_nonblocking_fence_all(runtime, &started, fences));
      CHECK(started <= (size_t)ranks);
      DONE(stretto_wait_all(runtime, started, fences));
      DONE(stretto_wait(runtime, &handle));
    }
    CHECK(handle == NULL && fences[0] == NULL);
    DONE(stretto_notify(runtime, right_rank(), &count));
    DONE(stretto_wait_notify(runtime, left_rank(), &count));
    const char* mine = local_part(region);
    CHECK(mine[0] == 10 * way + left_rank() && mine[BYTES - 1] == mine[0]);
    DONE(stretto_barrier(runtime));
  }
  DONE(stretto_wait_source(NULL));
  DONE(stretto_nonblocking_fence_all(runtime, &(size_t){0}, &(stretto_handle*){NULL}));
  free_region(region);
}

void test_flags(void) {
  stretto_region* region = new_region(32);
  stretto_handle* handle = NULL;
  size_t index = 9;
  size_t found[2] = {9, 9};
  DONE(stretto_raise_signal(region, right_rank(), 0, 3, STRETTO_FLAG_ADD));
  DONE(stretto_nonblocking_raise_signal(region, right_rank(), 8, 10, STRETTO_FLAG_SET, &handle));
  DONE(stretto_wait(runtime, &handle));
  const stretto_signal_condition both[] = {{0, 3, STRETTO_EQUAL}, {8, 9, STRETTO_GREATER}};
  const stretto_signal_condition some[] = {{24, 1, STRETTO_GREATER_EQUAL}, {8, 10, STRETTO_LESS_EQUAL}};
  DONE(stretto_wait_all_signals(region, 2, both));
  DONE(stretto_wait_any_signal(region, 2, some, &index));
  CHECK(index == 1);
  DONE(stretto_wait_some_signals(region, 2, some, &index, found));
  CHECK(index == 1 && found[0] == 1 && found[1] == 9);
  DONE(stretto_test_any_signal(region, 1, some, &index));
  CHECK(index == 1); /* none of one */
  DONE(stretto_test_any_signal(region, 2, some, &index));
  CHECK(index == 1);
  REFUSED(STRETTO_ERROR_ARGUMENT, "conditions", stretto_wait_any_signal(region, 0, NULL, &index));
  const stretto_signal_condition unknown = {0, 1, 6};
  REFUSED(STRETTO_ERROR_ARGUMENT, "conditions", stretto_wait_all_signals(region, 1, &unknown));
  free_region(region);
}

void test_protocols(void) {
  stretto_region* region = new_region(64);
  int protocol = -1;
  const char* reason = NULL;
  for (int operation = STRETTO_OPERATION_PUT; operation <= STRETTO_OPERATION_UPDATE; ++operation) {
    DONE(stretto_protocol_of(region, operation, right_rank(), 1 << 20, 8, &protocol, &reason));
    CHECK(protocol >= STRETTO_PROTOCOL_DIRECT && protocol <= STRETTO_PROTOCOL_RENDEZVOUS);
    CHECK(reason != NULL && strlen(reason) > 10);
  }
  REFUSED(STRETTO_ERROR_ARGUMENT, "operation", stretto_protocol_of(region, 4, 0, 8, 0, &protocol, &reason));
  REFUSED(STRETTO_ERROR_ARGUMENT, "target", stretto_protocol_of(region, 0, ranks, 8, 0, &protocol, &reason));
  free_region(region);
}

static int end_wait(void* context) {
  ++*(int*)context;
  return 1;
}

/* One that is awaited no more can be awaited again, and other threads' waits and tests know nothing of it. */
void test_interrupted_waits(void) {
  stretto_region* region = new_region(8);
  int calls = 0;
  uint64_t count = 0;
  DONE(stretto_check_in_waits(end_wait, &calls));
  REFUSED(STRETTO_ERROR_INTERRUPTED, "rank ", stretto_wait_signal(region, 0, 1, NULL));
  REFUSED(STRETTO_ERROR_INTERRUPTED, "rank ", stretto_wait_notify(runtime, left_rank(), &count));
  CHECK(calls == 2);
  DONE(stretto_check_in_waits(NULL, NULL));
  DONE(stretto_barrier(runtime)); /* until then nobody sends what the waits are for */
  DONE(stretto_raise_signal(region, right_rank(), 0, 1, STRETTO_FLAG_SET));
  DONE(stretto_wait_signal(region, 0, 1, NULL));
  DONE(stretto_notify(runtime, right_rank(), &count));
  DONE(stretto_wait_notify(runtime, left_rank(), &count));
  free_region(region);
}
