// SPDX-License-Identifier: BSD-3-Clause
// Every collective that libstretto_collectives.so replaces, in place, of derived types and of large counts, too.
// Rank 0 prints `right` and the number of ranks where each has its result on all ranks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000 };

static int rank, ranks, wrong;

static void expect(const char* name, int right) {
  if (!right) fprintf(stderr, "rank %d: %s is wrong\n", rank, name);
  wrong += !right;
}

// What rank `of` gives as element i.
static int value(int of, int i) { return 100000 * of + i; }

static int* filled(int of) {
  int* data = malloc(sizeof(int) * COUNT);
  for (int i = 0; i < COUNT; ++i) data[i] = value(of, i);
  return data;
}

static int is_sum(const int* data, int first) {
  for (int i = 0; i < COUNT; ++i) {
    if (data[i] != 100000 * (ranks * (ranks - 1) / 2) + ranks * (first + i)) return 0;
  }
  return 1;
}

static int is_all(const int* data) {
  for (int i = 0; i < ranks * COUNT; ++i) {
    if (data[i] != value(i / COUNT, i % COUNT)) return 0;
  }
  return 1;
}

static int is_own(const int* data, int of) {
  for (int i = 0; i < COUNT; ++i) {
    if (data[i] != value(of, i)) return 0;
  }
  return 1;
}

static void rooted(void) {
  const int root = ranks - 1;
  int* data = filled(rank);
  MPI_Bcast(data, COUNT, MPI_INT, root, MPI_COMM_WORLD);
  expect("broadcast", is_own(data, root));
  int* own = filled(rank);
  int* all = malloc(sizeof(int) * COUNT * (size_t)ranks);
  if (rank == root) {
    for (int i = 0; i < COUNT; ++i) all[root * COUNT + i] = own[i];
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, COUNT, MPI_INT, root, MPI_COMM_WORLD);
    expect("gather", is_all(all));
    MPI_Scatter(all, COUNT, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    MPI_Reduce(MPI_IN_PLACE, own, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    expect("reduction", is_sum(own, 0));
  } else {
    MPI_Gather(own, COUNT, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, data, COUNT, MPI_INT, root, MPI_COMM_WORLD);
    expect("scatter", is_own(data, rank));
    MPI_Reduce(own, NULL, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  }
  free(all);
  free(own);
  free(data);
}

static void reductions(MPI_Comm comm) {
  int* own = filled(rank);
  int* sum = malloc(sizeof(int) * COUNT);
  MPI_Allreduce(own, sum, COUNT, MPI_INT, MPI_SUM, comm);
  expect("allreduce", is_sum(sum, 0));
  MPI_Allreduce_c(own, sum, COUNT, MPI_INT, MPI_SUM, comm);
  expect("allreduce of large counts", is_sum(sum, 0));
  int* blocks = malloc(sizeof(int) * COUNT * (size_t)ranks);
  int* counts = malloc(sizeof(int) * (size_t)ranks);
  for (int i = 0; i < ranks * COUNT; ++i) blocks[i] = value(rank, i);
  for (int i = 0; i < ranks; ++i) counts[i] = COUNT;
  MPI_Reduce_scatter_block(blocks, sum, COUNT, MPI_INT, MPI_SUM, comm);
  expect("reduce-scatter of blocks", is_sum(sum, rank * COUNT));
  MPI_Reduce_scatter(blocks, sum, counts, MPI_INT, MPI_SUM, comm);
  expect("reduce-scatter", is_sum(sum, rank * COUNT));
  free(counts);
  free(blocks);
  free(sum);
  free(own);
}

static void exchanges(MPI_Comm comm) {
  int* own = filled(rank);
  int* all = malloc(sizeof(int) * COUNT * (size_t)ranks);
  MPI_Allgather(own, COUNT, MPI_INT, all, COUNT, MPI_INT, comm);
  expect("allgather", is_all(all));
  int* counts = malloc(sizeof(int) * (size_t)ranks);
  int* displacements = malloc(sizeof(int) * (size_t)ranks);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = COUNT;
    displacements[i] = (ranks - 1 - i) * COUNT;  // in the other order
  }
  MPI_Allgatherv(own, COUNT, MPI_INT, all, counts, displacements, MPI_INT, comm);
  for (int i = 0; i < ranks; ++i) expect("allgatherv", is_own(all + (ranks - 1 - i) * COUNT, i));
  for (int i = 0; i < ranks * COUNT; ++i) all[i] = value(rank, i);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, COUNT, MPI_INT, comm);
  for (int i = 0; i < ranks * COUNT; ++i) {
    if (all[i] != value(i / COUNT, rank * COUNT + i % COUNT)) expect("alltoall", 0);
  }
  free(displacements);
  free(counts);
  free(all);
  free(own);
}

// Every other element: the gaps keep what they have.
static void gaps(void) {
  MPI_Datatype every_other;
  MPI_Type_vector(COUNT / 2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  int* data = filled(rank);
  MPI_Bcast(data, 1, every_other, 0, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT; ++i) {
    if (data[i] != value(i % 2 == 0 ? 0 : rank, i)) expect("broadcast with gaps", 0);
  }
  MPI_Type_free(&every_other);
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rooted();
  reductions(MPI_COMM_WORLD);
  exchanges(MPI_COMM_WORLD);
  gaps();
  MPI_Comm same;
  MPI_Comm_dup(MPI_COMM_WORLD, &same);
  reductions(same);
  exchanges(same);
  MPI_Comm_free(&same);
  int all_wrong = 0;
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && all_wrong == 0) printf("right %d\n", ranks);
  MPI_Finalize();
  return wrong != 0;
}
