/* SPDX-License-Identifier: BSD-3-Clause
   Two threads that free and make communicators, persistent requests and matched messages, so that each gets handles
   which the other has just freed. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { rounds = 400 };

struct Work {
  MPI_Comm parent;
  int right;
};

static void* of_a_thread(void* given) {
  struct Work* work = given;
  const MPI_Comm parent = work->parent;
  int rank, ranks;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &ranks);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm made;
    MPI_Request request;
    MPI_Message message;
    int in = 0, sender = 0;
    MPI_Comm_dup(parent, &made);
    MPI_Send_init(&rank, 1, MPI_INT, (rank + 1) % ranks, round, made, &request);
    MPI_Start(&request);
    sender = (rank + ranks - 1) % ranks;
    MPI_Mprobe(sender, round, made, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Comm_free(&made);
    work->right += in == sender;
  }
  return NULL;
}

int main(int argc, char** argv) {
  int rank, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct Work work[2] = {0};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &work[i].parent);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, of_a_thread, &work[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (rank == 0) printf("%d right\n", work[0].right + work[1].right);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&work[i].parent);
  MPI_Finalize();
  return level == MPI_THREAD_MULTIPLE ? 0 : 1;
}
