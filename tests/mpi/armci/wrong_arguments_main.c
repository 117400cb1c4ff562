/* SPDX-License-Identifier: BSD-3-Clause
 * Every function of ARMCI with each of its arguments wrong, one at a time, on one process. Functions with a
 * code return it; the others end the program, which MPI_Abort of this program sees. None may crash, and
 * afterwards all still works.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "wrong_arguments.h"

double here[64], bytes[64], one = 1;
void *there, *freed;
int* flag;
void* addresses[16];
int strides[ARMCI_MAX_STRIDE_LEVEL] = {16, 32}, negative[ARMCI_MAX_STRIDE_LEVEL + 1] = {-16, -32};
int counts[ARMCI_MAX_STRIDE_LEVEL + 1] = {8, 2, 2};
int wrapping[ARMCI_MAX_STRIDE_LEVEL + 1] = {8, INT_MAX, INT_MAX};
static void* local[1] = {here};
static void* remote[1];
static void* beyond[1];
armci_giov_t to_there[1], from_there[1], null_arrays[1], negative_length[1], negative_bytes[1], outside[1];
int members[1] = {0}, negative_members[1] = {-1};
ARMCI_Group group, made_group, freed_group, no_group;
armcix_mutex_hdl_t mutexes, destroyed_mutexes;
armci_meminfo_t information, no_information;
stride_info_t segments;
armci_hdl_t handle, no_handle;
int number;

jmp_buf after_end;
static const char* current; /* NULL between the calls */
static int calls;
static int failures;

void begin_call(const char* call) {
  current = call;
  ++calls;
}

void end_call(int holds, const char* call, const char* expected) {
  current = NULL;
  if (holds) return;
  ++failures;
  printf("does not hold: %s: %s\n", expected, call);
  fflush(stdout);
}

/* What ends the program ends the call. */
int MPI_Abort(MPI_Comm comm, int code) {
  if (current != NULL) longjmp(after_end, 1);
  return PMPI_Abort(comm, code);
}

/* The pause before the end, in which a launcher reads what was written. */
int nanosleep(const struct timespec* pause, struct timespec* rest) {
  (void)rest;
  return current != NULL ? 0 : clock_nanosleep(CLOCK_MONOTONIC, 0, pause, NULL);
}

static void must(int holds, const char* what) {
  if (holds) return;
  printf("does not hold: %s\n", what);
  exit(1);
}
#define MUST(condition) must((condition) != 0, #condition)

static armci_giov_t vector(void** from, void** to, int length, int size) {
  armci_giov_t made;
  made.src_ptr_array = from;
  made.dst_ptr_array = to;
  made.ptr_array_len = length;
  made.bytes = size;
  return made;
}

static void make_objects(void) {
  MUST(ARMCI_Malloc(addresses, 64) == 0);
  freed = addresses[0];
  MUST(ARMCI_Free(freed) == 0);
  MUST(ARMCI_Malloc(addresses, 4096) == 0);
  there = addresses[0];
  flag = (int*)((char*)there + 2048);
  remote[0] = there;
  beyond[0] = (char*)there + 4092;
  to_there[0] = vector(local, remote, 1, 8);
  from_there[0] = vector(remote, local, 1, 8);
  null_arrays[0] = vector(NULL, NULL, 1, 8);
  negative_length[0] = vector(local, remote, -1, 8);
  negative_bytes[0] = vector(local, remote, 1, -8);
  outside[0] = vector(beyond, beyond, 1, 8);
  ARMCI_Group_create(1, members, &group);
  freed_group = group;
  ARMCI_Group_create(1, members, &freed_group);
  ARMCI_Group copy = freed_group;
  ARMCI_Group_free(&copy);
  memset(&no_group, 0x5A, sizeof no_group);
  mutexes = ARMCIX_Create_mutexes_hdl(1, &group);
  destroyed_mutexes = ARMCIX_Create_mutexes_hdl(1, &group);
  MUST(ARMCIX_Destroy_mutexes_hdl(destroyed_mutexes) == 0);
  MUST(ARMCI_Create_mutexes(1) == 0);
  ARMCI_Memget(64, &information, 0);
  memset(&no_handle, 0x5A, sizeof no_handle);
  armci_stride_info_init(&segments, here, 1, strides, counts);
}

static void check_that_all_works(void) {
  here[0] = 17;
  MUST(ARMCI_Put(here, there, 8, 0) == 0);
  ARMCI_Fence(0);
  MUST(ARMCI_Get(there, bytes, 8, 0) == 0);
  MUST(bytes[0] == 17);
  ARMCIX_Lock_hdl(mutexes, 0, 0);
  ARMCIX_Unlock_hdl(mutexes, 0, 0);
  MUST(ARMCIX_Destroy_mutexes_hdl(mutexes) == 0);
  ARMCI_Group_free(&group);
  MUST(ARMCI_Destroy_mutexes() == 0);
  MUST(ARMCI_Free(there) == 0);
}

int main(void) {
  setenv("STRETTO_PROGRESS", "poll", 1); /* a thread would not sleep here */
  MUST(ARMCI_Init() == 0);
  make_objects();
  call_everything_wrong();
  check_that_all_works();
  ARMCI_Finalize();
  armci_msg_finalize();
  if (failures == 0) printf("all functions have refused %d wrong calls\n", calls);
  return failures == 0 ? 0 : 1;
}
