/* SPDX-License-Identifier: BSD-3-Clause
 * Global Arrays as its programs use it: `arrays`, on any number of processes. A failed check is counted and
 * reported. */
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me;
static int processes;
static int failures;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "line %d: process %d: does not hold: %s\n", line, me, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

enum { rows = 30, columns = 20 };

static int array_of(const char* name, int type) {
  int dims[2] = {rows, columns};
  const int array = NGA_Create(type, 2, dims, (char*)name, NULL);
  CHECK(array != 0);
  GA_Zero(array);
  return array;
}

/* Process 0 puts all of it; every process gets a patch that crosses its owners. */
static void test_patches(void) {
  const int array = array_of("patches", C_DBL);
  double all[rows][columns];
  double patch[7][9];
  int first[2] = {0, 0};
  int last[2] = {rows - 1, columns - 1};
  int lo[2] = {11, 5};
  int hi[2] = {17, 13};
  int ld = columns;
  int patch_ld = 9;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) all[i][j] = 100.0 * i + j;
  if (me == 0) NGA_Put(array, first, last, all, &ld);
  GA_Sync();
  NGA_Get(array, lo, hi, patch, &patch_ld);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j) CHECK(patch[i][j] == 100.0 * (i + 11) + j + 5);
  GA_Sync();
  double one = 0.5;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j) patch[i][j] = 2;
  NGA_Acc(array, lo, hi, patch, &patch_ld, &one);
  GA_Sync();
  NGA_Get(array, lo, hi, patch, &patch_ld);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 9; ++j) CHECK(patch[i][j] == 100.0 * (i + 11) + j + 5 + processes);
  GA_Destroy(array);
}

static void test_nonblocking(void) {
  const int array = array_of("nonblocking", C_DBL);
  double row[columns];
  double back[columns];
  ga_nbhdl_t handle;
  int ld = columns;
  for (int i = me; i < rows; i += processes) {
    int lo[2] = {i, 0};
    int hi[2] = {i, columns - 1};
    for (int j = 0; j < columns; ++j) row[j] = i - j;
    NGA_NbPut(array, lo, hi, row, &ld, &handle);
    NGA_NbWait(&handle);
  }
  GA_Sync();
  for (int i = 0; i < rows; ++i) {
    int lo[2] = {i, 0};
    int hi[2] = {i, columns - 1};
    NGA_NbGet(array, lo, hi, back, &ld, &handle);
    NGA_NbWait(&handle);
    CHECK(back[0] == i && back[columns - 1] == i - columns + 1);
  }
  GA_Sync();
  double one = 1;
  int lo[2] = {0, 0};
  int hi[2] = {0, columns - 1};
  for (int j = 0; j < columns; ++j) row[j] = 1;
  NGA_NbAcc(array, lo, hi, row, &ld, &one, &handle);
  NGA_NbWait(&handle);
  GA_Sync();
  NGA_Get(array, lo, hi, back, &ld);
  for (int j = 0; j < columns; ++j) CHECK(back[j] == -j + processes);
  GA_Destroy(array);
}

/* Elements here and there: vectors of ARMCI. */
static void test_elements(void) {
  enum { count = 12 };
  const int array = array_of("elements", C_DBL);
  double values[count];
  int subscripts[count][2];
  int* places[count];
  for (int i = 0; i < count; ++i) {
    subscripts[i][0] = (7 * i + 3 * me) % rows;
    subscripts[i][1] = (5 * i + me) % columns;
    places[i] = subscripts[i];
    values[i] = 1000.0 * me + i;
  }
  if (me == 0) NGA_Scatter(array, values, places, count);
  GA_Sync();
  if (me == processes - 1) {
    for (int i = 0; i < count; ++i) {
      subscripts[i][0] = 7 * i % rows;
      subscripts[i][1] = 5 * i % columns;
    }
    NGA_Gather(array, values, places, count);
    for (int i = 0; i < count; ++i) CHECK(values[i] == i);
  }
  GA_Sync();
  double two = 2;
  for (int i = 0; i < count; ++i) {
    subscripts[i][0] = 7 * i % rows;
    subscripts[i][1] = 5 * i % columns;
    values[i] = 1;
  }
  NGA_Scatter_acc(array, values, places, count, &two);
  GA_Sync();
  NGA_Gather(array, values, places, count);
  for (int i = 0; i < count; ++i) CHECK(values[i] == i + 2.0 * processes);
  GA_Sync();
  GA_Destroy(array);
}

static void test_counter_and_locks(void) {
  enum { turns = 25 };
  int dims[1] = {2};
  const int counter = NGA_Create(C_LONG, 1, dims, "counter", NULL);
  int zero[1] = {0};
  int one[1] = {1};
  int ld = 1;
  GA_Zero(counter);
  long sum = 0;
  for (int i = 0; i < turns; ++i) sum += NGA_Read_inc(counter, zero, 1);
  GA_Lgop(&sum, 1, "+");
  const long all = (long)turns * processes;
  CHECK(sum == all * (all - 1) / 2);
  CHECK(GA_Create_mutexes(2) != 0);
  for (int i = 0; i < turns; ++i) {
    long value = 0;
    GA_Lock(1);
    NGA_Get(counter, one, one, &value, &ld);
    ++value;
    NGA_Put(counter, one, one, &value, &ld);
    GA_Init_fence();
    GA_Fence();
    GA_Unlock(1);
  }
  GA_Sync();
  long total = 0;
  NGA_Get(counter, one, one, &total, &ld);
  CHECK(total == all);
  GA_Sync();
  CHECK(GA_Destroy_mutexes() != 0);
  GA_Destroy(counter);
}

static void test_ghosts(void) {
  int dims[2] = {rows, columns};
  int width[2] = {1, 1};
  const int array = NGA_Create_ghosts(C_DBL, 2, dims, width, "ghosts", NULL);
  int lo[2];
  int hi[2];
  int with_ghosts[2];
  int ld[1];
  double* first = NULL;
  NGA_Distribution(array, me, lo, hi);
  const int inside = lo[0] >= 0 && hi[0] >= lo[0];
  if (inside) {
    const int ghost_lo[2] = {lo[0], lo[1]};
    (void)ghost_lo;
    NGA_Access_ghosts(array, with_ghosts, &first, ld);
    for (int i = lo[0]; i <= hi[0]; ++i)
      for (int j = lo[1]; j <= hi[1]; ++j) first[(i - lo[0] + 1) * ld[0] + j - lo[1] + 1] = 50.0 * i + j;
    NGA_Release_update(array, lo, hi);
  }
  GA_Sync();
  GA_Update_ghosts(array);
  if (inside) {
    const int above = (lo[0] + rows - 1) % rows;
    const int left = (lo[1] + columns - 1) % columns;
    CHECK(first[1] == 50.0 * above + lo[1]);
    CHECK(first[ld[0]] == 50.0 * lo[0] + left);
    CHECK(first[0] == 50.0 * above + left);
  }
  GA_Sync();
  GA_Destroy(array);
}

static void test_groups(void) {
  int members[64];
  int count = 0;
  for (int i = me % 2; i < processes; i += 2) members[count++] = i;
  const int world = GA_Pgroup_get_default();
  const int group = GA_Pgroup_create(members, count);
  CHECK(GA_Pgroup_nnodes(group) == count);
  CHECK(GA_Pgroup_nodeid(group) == me / 2);
  double sum = 1;
  GA_Pgroup_dgop(group, &sum, 1, "+");
  CHECK(sum == count);
  long word = me / 2 == 0 ? 40 + me : 0;
  GA_Pgroup_brdcst(group, &word, sizeof word, 0);
  CHECK(word == 40 + me % 2);
  GA_Pgroup_set_default(group);
  const int array = array_of("of a group", C_INT);
  int value = 3 + me % 2;
  GA_Fill(array, &value);
  int lo[2] = {rows - 1, columns - 1};
  int ld = 1;
  int got = 0;
  NGA_Get(array, lo, lo, &got, &ld);
  CHECK(got == value);
  GA_Sync();
  GA_Destroy(array);
  GA_Pgroup_set_default(world);
  GA_Sync();
  CHECK(GA_Pgroup_destroy(group) != 0);
}

static void test_algebra(void) {
  int dims[2] = {rows, rows};
  const int a = NGA_Create(C_DBL, 2, dims, "a", NULL);
  const int b = GA_Duplicate(a, "b");
  const int c = GA_Duplicate(a, "c");
  double one = 1;
  double two = 2;
  GA_Fill(a, &one);
  GA_Fill(b, &two);
  GA_Dgemm('N', 'T', rows, rows, rows, 1.0, a, b, 0.0, c);
  CHECK(GA_Ddot(a, c) == 2.0 * rows * rows * rows);
  GA_Add(&one, a, &two, b, c);
  CHECK(GA_Ddot(a, c) == 5.0 * rows * rows);
  GA_Transpose(c, b);
  GA_Symmetrize(b);
  int lo[2] = {3, 4};
  int ld = 1;
  double got = 0;
  NGA_Get(b, lo, lo, &got, &ld);
  CHECK(got == 5.0);
  double greatest = 0;
  int place[2] = {-1, -1};
  NGA_Select_elem(b, "max", &greatest, place);
  CHECK(greatest == 5.0);
  GA_Sync();
  GA_Destroy(c);
  GA_Destroy(b);
  GA_Destroy(a);
}

static void test_reductions(void) {
  int flags[2] = {me == 0, 1};
  GA_Igop(flags, 2, "&&");
  CHECK(flags[0] == (processes == 1) && flags[1] == 1);
  int any = me == processes - 1;
  GA_Igop(&any, 1, "||");
  CHECK(any == 1);
  double extremes[2] = {me, -me};
  GA_Dgop(extremes, 2, "absmax");
  CHECK(extremes[0] == processes - 1 && extremes[1] == processes - 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize_ltd(16 << 20);
  MA_init(MT_C_DBL, 1 << 18, 1 << 18);
  me = GA_Nodeid();
  processes = GA_Nnodes();
  CHECK(GA_Memory_limited() != 0);
  test_patches();
  test_nonblocking();
  test_elements();
  test_counter_and_locks();
  test_ghosts();
  test_groups();
  test_algebra();
  test_reductions();
  GA_Igop(&failures, 1, "+");
  if (me == 0 && failures == 0) printf("Global Arrays has what it should on %d processes\n", processes);
  GA_Terminate();
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
