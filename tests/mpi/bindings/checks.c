/* SPDX-License-Identifier: BSD-3-Clause
 * Checks, and regions of a runtime, for programs that use the C interface. */
#include "checks.h"

#include <stdio.h>
#include <string.h>

int me;
int ranks;
int failures;
stretto_runtime* runtime;

void check(int holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "%s:%d: rank %d: does not hold: %s\n", file, line, me, what);
  fflush(stderr);
}

void check_done(int code, const char* what, const char* file, int line) {
  if (code == STRETTO_SUCCESS) return;
  check(0, what, file, line);
  fprintf(stderr, "  %s: %s\n", stretto_error_name(code), stretto_error_message());
}

void check_refused(int expected, const char* begin, int code, const char* what, const char* file, int line) {
  const int right = code == expected && strncmp(stretto_error_message(), begin, strlen(begin)) == 0;
  check(right, what, file, line);
  if (!right) fprintf(stderr, "  %s: %s\n", stretto_error_name(code), stretto_error_message());
}

int right_rank(void) { return (me + 1) % ranks; }
int left_rank(void) { return (me + ranks - 1) % ranks; }

stretto_region* new_region(size_t size_bytes) {
  stretto_region* region = NULL;
  DONE(stretto_region_create(runtime, size_bytes, &region));
  return region;
}

void* local_part(const stretto_region* region) {
  void* address = NULL;
  size_t size_bytes = 0;
  DONE(stretto_region_local(region, &address, &size_bytes));
  return address;
}

void free_region(stretto_region* region) {
  DONE(stretto_barrier(runtime));
  DONE(stretto_region_free(&region));
  CHECK(region == NULL);
}
