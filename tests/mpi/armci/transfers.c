/* SPDX-License-Identifier: BSD-3-Clause
 * Memory, and blocking transfers of every shape: what is put is what is got, in the order of the program. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

void test_memory(void) {
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  /* Each process has another number of bytes, the last none. */
  const long bytes = 16L * (processes - 1 - me);
  CHECK(ARMCI_Malloc(memory, bytes) == 0);
  for (int i = 0; i < processes; ++i) CHECK((memory[i] == NULL) == (i == processes - 1));
  if (me != processes - 1) {
    for (long i = 0; i < bytes; ++i) CHECK(((char*)memory[me])[i] == 0);
  }
  ARMCI_Barrier();
  if (other != processes - 1 && memory[other] != NULL) {
    char sent[16];
    char back[16];
    memset(sent, me + 1, sizeof sent);
    CHECK(ARMCI_Put(sent, memory[other], sizeof sent, other) == 0);
    CHECK(ARMCI_Get(memory[other], back, sizeof back, other) == 0); /* ordered behind the put */
    CHECK(memcmp(sent, back, sizeof sent) == 0);
    CHECK(ARMCI_Put(sent, memory[other], 0, other) == 0);
    if (ARMCI_Same_node(other)) CHECK(*(char*)memory[other] == me + 1);
  }
  ARMCI_Barrier();
  if (bytes > 0) CHECK(*(char*)memory[me] == left_neighbour() + 1);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);

  CHECK(ARMCI_Malloc(memory, 0) == 0);
  CHECK(memory[me] == NULL);
  CHECK(ARMCI_Free(memory[me]) == 0);

  char* local = ARMCI_Malloc_local(100);
  CHECK(local != NULL);
  memset(local, 7, 100);
  char copy[100];
  ARMCI_Copy(local, copy, 100);
  CHECK(memcmp(local, copy, 100) == 0);
  CHECK(ARMCI_Free_local(local) == 0);
}

#define DIMENSIONS 5
static const int extent[DIMENSIONS] = {5, 4, 6, 3, 2};

static int offset_of(const int* at, int dimensions) {
  int offset = 0;
  for (int i = dimensions - 1; i >= 0; --i) offset = offset * extent[i] + at[i];
  return offset;
}

/* A random patch: where it begins, how long it is. */
static void random_patch(int dimensions, int* begin, int* length) {
  for (int i = 0; i < dimensions; ++i) {
    begin[i] = pseudo_random(extent[i]);
    length[i] = 1 + pseudo_random(extent[i] - begin[i]);
  }
}

static int next_in_patch(int dimensions, int* at, const int* length) {
  for (int i = 0; i < dimensions; ++i) {
    if (++at[i] < length[i]) return 1;
    at[i] = 0;
  }
  return 0;
}

static void compare_patches(int dimensions, const double* a, const double* b, const int* begin,
                            const int* length) {
  int at[DIMENSIONS] = {0};
  int differing = 0;
  do {
    int place[DIMENSIONS];
    for (int i = 0; i < dimensions; ++i) place[i] = begin[i] + at[i];
    const int offset = offset_of(place, dimensions);
    differing += a[offset] != b[offset];
  } while (next_in_patch(dimensions, at, length));
  CHECK(differing == 0);
}

static void strided_patches(int dimensions, double* source, double** remote, double* sink, int elements) {
  const int other = processes - 1 - me;
  int strides[DIMENSIONS];
  strides[0] = (int)sizeof(double) * extent[0];
  for (int i = 1; i < dimensions; ++i) strides[i] = strides[i - 1] * extent[i];
  for (int round = 0; round < 4; ++round) {
    int begin[DIMENSIONS];
    int length[DIMENSIONS];
    int count[DIMENSIONS];
    random_patch(dimensions, begin, length);
    memcpy(count, length, sizeof count);
    count[0] *= (int)sizeof(double);
    for (int i = 0; i < elements; ++i) source[i] = 1000.0 * me + i + round / 16.0;
    const int at = offset_of(begin, dimensions);
    CHECK(ARMCI_PutS(source + at, strides, remote[other] + at, strides, count, dimensions - 1, other) == 0);
    CHECK(ARMCI_GetS(remote[other] + at, strides, sink + at, strides, count, dimensions - 1, other) == 0);
    compare_patches(dimensions, source, sink, begin, length);
  }
}

void test_strided(void) {
  int elements = 1;
  for (int dimensions = 1; dimensions <= DIMENSIONS; ++dimensions) {
    void* remote[MAX_PROCESSES];
    elements *= extent[dimensions - 1];
    CHECK(ARMCI_Malloc(remote, elements * (long)sizeof(double)) == 0);
    double* source = malloc((size_t)elements * sizeof *source);
    double* sink = malloc((size_t)elements * sizeof *sink);
    strided_patches(dimensions, source, (double**)remote, sink, elements);
    free(source);
    free(sink);
    ARMCI_Barrier();
    CHECK(ARMCI_Free(remote[me]) == 0);
  }
}

/* Every third number of two allocations, in one vector of two descriptors. */
void test_vector(void) {
  enum { segments = 40, length = 3 * segments };
  void* first[MAX_PROCESSES];
  void* second[MAX_PROCESSES];
  const int other = right_neighbour();
  double numbers[2][length];
  double back[2][length];
  void* here[2][segments];
  void* there[2][segments];
  void* sinks[2][segments];
  CHECK(ARMCI_Malloc(first, sizeof numbers[0]) == 0);
  CHECK(ARMCI_Malloc(second, sizeof numbers[1]) == 0);
  for (int i = 0; i < length; ++i) {
    numbers[0][i] = me * 1000.0 + i;
    numbers[1][i] = -numbers[0][i];
    back[0][i] = back[1][i] = 0;
  }
  for (int i = 0; i < segments; ++i) {
    for (int part = 0; part < 2; ++part) {
      here[part][i] = &numbers[part][3 * i];
      there[part][i] = (double*)(part == 0 ? first : second)[other] + 3 * i;
      sinks[part][i] = &back[part][3 * i];
    }
  }
  armci_giov_t put[2] = {{here[0], there[0], segments, sizeof(double)},
                         {here[1], there[1], segments, sizeof(double)}};
  armci_giov_t get[2] = {{there[0], sinks[0], segments, sizeof(double)},
                         {there[1], sinks[1], segments, sizeof(double)}};
  CHECK(ARMCI_PutV(put, 2, other) == 0);
  CHECK(ARMCI_GetV(get, 2, other) == 0);
  for (int i = 0; i < length; ++i) {
    CHECK(back[0][i] == (i % 3 == 0 ? numbers[0][i] : 0));
    CHECK(back[1][i] == (i % 3 == 0 ? numbers[1][i] : 0));
  }
  ARMCI_Barrier();
  double factor = 2;
  CHECK(ARMCI_AccV(ARMCI_ACC_DBL, &factor, put, 2, other) == 0);
  ARMCI_Barrier();
  const double* mine = first[me];
  for (int i = 0; i < length; i += 3) CHECK(mine[i] == 3 * (left_neighbour() * 1000.0 + i));
  ARMCI_Barrier();
  CHECK(ARMCI_Free(second[me]) == 0);
  CHECK(ARMCI_Free(first[me]) == 0);
}

typedef struct {
  long as_long;
  double as_double;
  int as_int;
  float as_float;
} values_t;

void test_values(void) {
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  CHECK(ARMCI_Malloc(memory, 2 * sizeof(values_t)) == 0);
  values_t* there = memory[other];
  CHECK(ARMCI_PutValueInt(me + 1, &there->as_int, other) == 0);
  CHECK(ARMCI_PutValueLong(1L << (40 + me), &there->as_long, other) == 0);
  CHECK(ARMCI_PutValueFloat(me + 0.5F, &there->as_float, other) == 0);
  CHECK(ARMCI_PutValueDouble(me + 0.25, &there->as_double, other) == 0);
  CHECK(ARMCI_GetValueInt(&there->as_int, other) == me + 1);
  CHECK(ARMCI_GetValueLong(&there->as_long, other) == 1L << (40 + me));
  CHECK(ARMCI_GetValueFloat(&there->as_float, other) == me + 0.5F);
  CHECK(ARMCI_GetValueDouble(&there->as_double, other) == me + 0.25);
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  ++there;
  CHECK(ARMCI_NbPutValueInt(me + 3, &there->as_int, other, &handle) == 0);
  CHECK(ARMCI_NbPutValueLong(me + 4, &there->as_long, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
  CHECK(ARMCI_NbPutValueFloat(me + 5.5F, &there->as_float, other, &handle) == 0);
  CHECK(ARMCI_Wait(&handle) == 0);
  CHECK(ARMCI_NbPutValueDouble(me + 6.25, &there->as_double, other, NULL) == 0);
  CHECK(ARMCI_WaitProc(other) == 0);
  ARMCI_Barrier();
  const values_t* mine = (values_t*)memory[me] + 1;
  const int from = left_neighbour();
  CHECK(mine->as_int == from + 3 && mine->as_long == from + 4);
  CHECK(mine->as_float == from + 5.5F && mine->as_double == from + 6.25);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}
