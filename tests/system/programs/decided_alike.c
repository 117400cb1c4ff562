// SPDX-License-Identifier: BSD-3-Clause
// Calls whose ranks may choose a form only by what MPI makes equal on all of them: ignored arguments have
// values that nobody can use, displacements and types differ between ranks, and rank 0 alone makes a call
// that MPI refuses. `PROGRAM CASE` prints what each rank got.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, ranks, out[64], in[64];

#define NOWHERE ((void*)0x10)
#define ELSEWHERE MPI_DATATYPE_NULL

#if MPI_VERSION >= 4
static void large_counts(void) {
  const MPI_Count huge = (MPI_Count)1 << (40 + rank);
  const int root = rank == 1;
  MPI_Gather_c(out, 2, MPI_INT, root ? in : NOWHERE, root ? 2 : huge, root ? MPI_INT : ELSEWHERE, 1,
               MPI_COMM_WORLD);
  MPI_Scatter_c(root ? out : NOWHERE, root ? 2 : huge, root ? MPI_INT : ELSEWHERE, in + 8, 2, MPI_INT, 1,
                MPI_COMM_WORLD);
  MPI_Alltoall_c(MPI_IN_PLACE, rank % 2 ? huge : 0, ELSEWHERE, in + 16, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather_c(MPI_IN_PLACE, rank % 2 ? huge : 0, ELSEWHERE, in + 24, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Count counts[16];
  MPI_Aint places[16];
  const MPI_Aint far = rank == 1 ? 3000000000 : 0;  // which int cannot count
  for (int i = 0; i < ranks; ++i) counts[i] = 1, places[i] = far + i;
  int* const before = (int*)((char*)(in + 32) - far * (MPI_Aint)sizeof(int));
  MPI_Allgatherv_c(out, 1, MPI_INT, before, counts, places, MPI_INT, MPI_COMM_WORLD);
}
#endif

static void between_groups(void) {
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 5, &between);
  const int root = rank == 0 ? MPI_ROOT : rank % 2 ? 0 : MPI_PROC_NULL;
  MPI_Datatype freed, kept;
  MPI_Type_contiguous(2, MPI_INT, &freed);
  kept = freed;
  MPI_Type_free(&kept);
  const int sends = rank % 2;
  MPI_Gather(sends ? out : NOWHERE, sends ? 2 : 5, sends ? MPI_INT : freed, root == MPI_ROOT ? in : NOWHERE,
             root == MPI_ROOT ? 2 : 7, root == MPI_ROOT ? MPI_INT : freed, root, between);
  MPI_Scatter(root == MPI_ROOT ? out : NOWHERE, root == MPI_ROOT ? 2 : 5, root == MPI_ROOT ? MPI_INT : freed,
              sends ? in + 8 : NOWHERE, sends ? 2 : 7, sends ? MPI_INT : freed, root, between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

/// Calls with one buffer for source and destination, of which MPICH refuses all and Open MPI none.
static void refused(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int codes[4] = {0};
#ifdef MPICH
  if (rank == 0) {  // alone: it fails without a message
    codes[0] = MPI_Gather(in, 2, MPI_INT, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    codes[1] = MPI_Scatter(in, 2, MPI_INT, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    codes[2] = MPI_Reduce(in, in, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  codes[3] = MPI_Allgather(in + rank, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
#endif
  for (int i = 0; i < 4; ++i) in[40 + i] = codes[i] != MPI_SUCCESS;
  MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/// A receive from anybody on MPI_COMM_SELF is the program's own.
static void own_messages(void) {
  MPI_Request request;
  MPI_Irecv(in + 32, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
  MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Send(out, 2, MPI_INT, 0, 3, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int open_file(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)extra;
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, value, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  return MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 64; ++i) out[i] = 100 * rank + i, in[i] = -i;
#if MPI_VERSION >= 4
  if (strcmp(argv[1], "large counts") == 0) large_counts();
#endif
  if (strcmp(argv[1], "between groups") == 0) between_groups();
  if (strcmp(argv[1], "refused") == 0) refused();
  if (strcmp(argv[1], "own messages") == 0) own_messages();
  if (strcmp(argv[1], "a file at the end") == 0 && rank == 0) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, open_file, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, argv[2]);
  }
  for (int turn = 0; turn < ranks; ++turn) {
    for (int i = 0; turn == rank && i < 64; ++i) printf(i < 63 ? "%d " : "%d\n", in[i]);
    fflush(stdout);
    MPI_Bcast(out, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
