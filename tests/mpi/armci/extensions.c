/* SPDX-License-Identifier: BSD-3-Clause
 * What Global Arrays and ARMCI-MPI ask for beyond ARMCI: kinds of memory, strided buffers, sets of mutexes,
 * groups by colour, more reductions, numbers anywhere, and the codes of ARMCI-MPI. */
#include <armcix.h>
#include <iterator.h>
#include <string.h>

#include "checks.h"

static void test_device_memory(void) {
  ARMCI_Group world;
  void* memory[MAX_PROCESSES];
  const int other = right_neighbour();
  ARMCI_Group_get_world(&world);
  for (int of_group = 0; of_group < 2; ++of_group) {
    CHECK((of_group ? ARMCI_Malloc_group_memdev(memory, sizeof(int), &world, "none")
                    : ARMCI_Malloc_memdev(memory, sizeof(int), NULL)) == 0);
    CHECK(ARMCI_PutValueInt(me, memory[other], other) == 0);
    ARMCI_Barrier();
    ARMCI_Access_begin(memory[me]);
    CHECK(*(int*)memory[me] == left_neighbour());
    ARMCI_Access_end(memory[me]);
    CHECK(ARMCI_Free_memdev(memory[me]) == 0);
  }
}

static void test_strided_buffers(void) {
  int grid[6][5][4];
  int buffer[2 * 3 * 2];
  int strides[2] = {sizeof grid[0][0], sizeof grid[0]};
  int count[3] = {2 * sizeof(int), 3, 2};
  for (int i = 0; i < 6 * 5 * 4; ++i) (&grid[0][0][0])[i] = i;
  armci_write_strided(&grid[1][1][1], 2, strides, count, (char*)buffer);
  for (int i = 0; i < 2 * 3 * 2; ++i) CHECK(buffer[i] == grid[1 + i / 6][1 + i / 2 % 3][1 + i % 2]);
  for (int i = 0; i < 2 * 3 * 2; ++i) buffer[i] = -i - 1;
  armci_read_strided(&grid[1][1][1], 2, strides, count, (char*)buffer);
  int changed = 0;
  for (int i = 0; i < 6 * 5 * 4; ++i) changed += (&grid[0][0][0])[i] != i;
  CHECK(changed == 2 * 3 * 2);
  CHECK(grid[2][3][2] == -12 && grid[1][1][1] == -1);

  stride_info_t shape;
  armci_stride_info_init(&shape, &grid[1][1][1], 2, strides, count);
  CHECK(armci_stride_info_size(&shape) == 6 && armci_stride_info_count(&shape) == 6);
  int segments = 0;
  for (; armci_stride_info_has_more(&shape); armci_stride_info_next(&shape), ++segments) {
    CHECK(armci_stride_info_pos(&shape) == segments);
    CHECK(armci_stride_info_seg_size(&shape) == count[0]);
    const int* const there = &grid[1 + segments / 3][1 + segments % 3][1];
    CHECK(armci_stride_info_seg_ptr(&shape) == there);
    CHECK(armci_stride_info_seg_off(&shape) == (int)((const char*)there - (const char*)&grid[1][1][1]));
  }
  CHECK(segments == 6);
  armci_stride_info_destroy(&shape);
}

/* A reduction by each of its names, over all and over a group of all. */
static void test_logical_reductions(void) {
  static const struct {
    char* op;
    int expected; /* of 6 on process 0 and of 3 on the others */
  } cases[] = {{"&&", 1},   {"land", 1}, {"||", 1},  {"lor", 1}, {"&", 2},
               {"band", 2}, {"|", 7},    {"bor", 7}, {"or", 7}};
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int expected = processes == 1 ? 6 : cases[i].expected;
    int number = me == 0 ? 6 : 3;
    armci_msg_igop(&number, 1, cases[i].op);
    CHECK(number == expected);
    long in_group = me == 0 ? 6 : 3;
    armci_msg_group_lgop(&in_group, 1, cases[i].op, &world);
    CHECK(in_group == expected);
  }
}

/* Numbers that do not lie at multiples of their size: no update is lost. */
static void test_unaligned_accumulate(void) {
  enum { count = 20 };
  void* memory[MAX_PROCESSES];
  double numbers[count];
  double sums[count];
  double factor = 2;
  int strides[1] = {2 * sizeof(double)};
  int shape[2] = {sizeof(double), count / 2};
  for (int i = 0; i < count; ++i) numbers[i] = me + i;
  CHECK(ARMCI_Malloc(memory, sizeof numbers + 8) == 0);
  char* there = (char*)memory[0] + 3;
  CHECK(ARMCI_Acc(ARMCI_ACC_DBL, &factor, numbers, there, sizeof numbers, 0) == 0);
  CHECK(ARMCI_AccS(ARMCI_ACC_DBL, &factor, numbers, strides, there, strides, shape, 1, 0) == 0);
  ARMCI_Barrier();
  CHECK(ARMCI_Get(there, sums, sizeof sums, 0) == 0);
  for (int i = 0; i < count; ++i) {
    const double once = factor * (processes * (processes - 1) / 2 + processes * i);
    CHECK(sums[i] == (i % 2 == 0 ? 2 * once : once));
  }
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

static void test_onto_itself(void) {
  void* memory[MAX_PROCESSES];
  CHECK(ARMCI_Malloc(memory, 16) == 0);
  memcpy(memory[me], "stays as it is.", 16);
  CHECK(ARMCI_Get(memory[me], memory[me], 16, me) == 0);
  CHECK(ARMCI_Put(memory[me], memory[me], 16, me) == 0);
  CHECK(strcmp(memory[me], "stays as it is.") == 0);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

static void test_groups_by_colour(void) {
  ARMCI_Group world;
  ARMCI_Group half;
  ARMCI_Group copy;
  ARMCI_Group empty;
  int rank = -1;
  int size = -1;
  ARMCI_Group_get_world(&world);
  CHECK(ARMCIX_Group_split(&world, me % 2, -me, &half) == 0); /* highest ranks first */
  ARMCI_Group_size(&half, &size);
  CHECK(size == (processes + 1 - me % 2) / 2);
  CHECK(ARMCI_Group_rank(&half, &rank) == 0 && rank == size - 1 - me / 2);
  CHECK(ARMCIX_Group_dup(&half, &copy) == 0);
  int rank_in_copy = -1;
  CHECK(ARMCI_Group_rank(&copy, &rank_in_copy) == 0 && rank_in_copy == rank);
  ARMCI_Group_free(&copy);
  ARMCI_Group_free(&half);

  ARMCI_Group_create(0, NULL, &empty);
  CHECK(ARMCI_Group_rank(&empty, &rank) != 0 && rank == -1);
  ARMCI_Group_size(&empty, &size);
  CHECK(size == 0);
  ARMCI_Group_free(&empty);
}

/* A counter under a mutex of process 0: a get and a put, which another process must not come between. */
static void test_mutex_sets(void) {
  void* memory[MAX_PROCESSES];
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  CHECK(ARMCI_Malloc(memory, sizeof(long)) == 0);
  armcix_mutex_hdl_t mutexes = ARMCIX_Create_mutexes_hdl(me == 0 ? 2 : 0, &world);
  const int rounds = 20;
  for (int i = 0; i < rounds; ++i) {
    if (i % 2 == 0) {
      ARMCIX_Lock_hdl(mutexes, 1, 0);
    } else {
      while (ARMCIX_Trylock_hdl(mutexes, 1, 0) != 0) ARMCIX_Progress();
    }
    const long before = ARMCI_GetValueLong(memory[0], 0);
    CHECK(ARMCI_PutValueLong(before + 1, memory[0], 0) == 0);
    ARMCIX_Unlock_hdl(mutexes, 1, 0);
  }
  ARMCI_Barrier();
  CHECK(ARMCI_GetValueLong(memory[0], 0) == (long)rounds * processes);
  CHECK(ARMCIX_Destroy_mutexes_hdl(mutexes) == 0);
  CHECK(ARMCI_Free(memory[me]) == 0);
}

/* A library that was compiled with the header of ARMCI-MPI has its own codes. */
static void test_other_codes(void) {
  enum { mpi_dcp = 5, mpi_fetch_and_add_long = 1, mpi_double = 4, mpi_scope_all = 0 };
  void* memory[MAX_PROCESSES];
  double number[2] = {1, 2};
  double one[2] = {1, 0};
  long before = -1;
  CHECK(ARMCI_Malloc(memory, sizeof number + sizeof(long)) == 0);
  CHECK(ARMCI_Acc(mpi_dcp, one, number, memory[0], sizeof number, 0) == 0);
  CHECK(ARMCI_Rmw(mpi_fetch_and_add_long, &before, (double*)memory[0] + 2, 1, 0) == 0);
  CHECK(before >= 0 && before < processes);
  ARMCI_Barrier();
  CHECK(ARMCI_GetValueDouble((double*)memory[0] + 1, 0) == 2.0 * processes);
  double sum = 1;
  armci_msg_gop_scope(mpi_scope_all, &sum, 1, "+", mpi_double);
  CHECK(sum == processes);
  ARMCI_Barrier();
  CHECK(ARMCI_Free(memory[me]) == 0);
}

void test_extensions(void) {
  test_device_memory();
  test_strided_buffers();
  test_logical_reductions();
  test_unaligned_accumulate();
  test_onto_itself();
  test_groups_by_colour();
  test_mutex_sets();
  test_other_codes();
}
