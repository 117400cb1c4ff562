// SPDX-License-Identifier: BSD-3-Clause
// Random steps of many kinds, the same on all ranks for a seed: periodic SEED STEPS [ENDING]. The bytes of a
// message tell its number in its channel, so that a trace in which messages are matched wrongly shows it.
// ENDING: kill (rank 1 dies), freed (the request of a receive in progress), dups (8000 communicators).
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { max_ranks = 16, tags = 4, comms = 2, sizes = 97 };
static int rank, ranks;
static MPI_Comm all[comms];
static unsigned sent[comms][tags][max_ranks], received[comms][tags][max_ranks];
static char from[64][8 * sizes], to[64][8 * sizes];
static uint64_t state;

static unsigned pick(unsigned most) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (unsigned)(state >> 33U) % most;
}

static int bytes_of(unsigned number) { return 8 * (int)(number % sizes + 1); }

static int next_sent(int comm, int tag, int peer) { return bytes_of(sent[comm][tag][peer]++); }
static int next_received(int comm, int tag, int peer) { return bytes_of(received[comm][tag][peer]++); }

static void exchange(int comm, int shift, int tag, unsigned count, unsigned wild) {
  MPI_Request requests[64];
  const int right = (rank + shift) % ranks;
  const int left = (rank + ranks - shift) % ranks;
  for (unsigned i = 0; i < count; ++i) {
    const int bytes = next_received(comm, tag, left);
    const int source = wild ? MPI_ANY_SOURCE : left;
    MPI_Irecv(to[i], bytes, MPI_CHAR, source, tag, all[comm], &requests[i]);
  }
  for (unsigned i = 0; i < count; ++i) {
    const int bytes = next_sent(comm, tag, right);
    MPI_Isend(from[i], bytes, MPI_CHAR, right, tag, all[comm], &requests[count + i]);
  }
  MPI_Waitall((int)(2 * count), requests, MPI_STATUSES_IGNORE);
}

static void pair(int comm, int tag, unsigned how) {
  const int peer = rank ^ 1;
  if (peer >= ranks) return;
  const int out = next_sent(comm, tag, peer);
  const int in = next_received(comm, tag, peer);
  if (how == 0) {
    MPI_Sendrecv(from[0], out, MPI_CHAR, peer, tag, to[0], in, MPI_CHAR, peer, tag, all[comm],
                 MPI_STATUS_IGNORE);
  } else if (how == 1 && rank < peer) {
    MPI_Send(from[0], out, MPI_CHAR, peer, tag, all[comm]);
    MPI_Recv(to[0], in, MPI_CHAR, MPI_ANY_SOURCE, tag, all[comm], MPI_STATUS_IGNORE);
  } else if (how == 1) {
    MPI_Recv(to[0], in, MPI_CHAR, peer, tag, all[comm], MPI_STATUS_IGNORE);
    MPI_Send(from[0], out, MPI_CHAR, peer, tag, all[comm]);
  } else {
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    MPI_Isend(from[0], out, MPI_CHAR, peer, tag, all[comm], &request);
    MPI_Mprobe(peer, tag, all[comm], &message, &status);
    MPI_Mrecv(to[0], in, MPI_CHAR, &message, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void collectives(int comm) {
  double value = 1, sum = 0;
  MPI_Request request;
  int counts[max_ranks], places[max_ranks];
  switch (pick(4)) {
    case 0:
      MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, all[comm]);
      break;
    case 1:
      MPI_Bcast(&value, 1, MPI_DOUBLE, (int)pick((unsigned)ranks), all[comm]);
      break;
    case 2:
      MPI_Iallreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, all[comm], &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    default:
      for (int peer = 0; peer < ranks; ++peer) {
        counts[peer] = (rank + peer) % 3 + 1;
        places[peer] = 8 * peer;
      }
      MPI_Alltoallv(from[0], counts, places, MPI_CHAR, to[0], counts, places, MPI_CHAR, all[comm]);
  }
}

static void one_sided(MPI_Win window, MPI_Group both, int peer) {
  if (pick(2) == 0) {
    MPI_Win_fence(0, window);
    MPI_Put(from[0], 8, MPI_CHAR, (rank + 1) % ranks, 0, 8, MPI_CHAR, window);
    MPI_Win_fence(0, window);
  } else if (peer < ranks) {
    MPI_Win_post(both, 0, window);
    MPI_Win_start(both, 0, window);
    MPI_Put(from[0], 16, MPI_CHAR, peer, 0, 16, MPI_CHAR, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
  }
}

static void step(MPI_Request persistent[2], MPI_Win window, MPI_Group both) {
  const int comm = (int)pick(comms);
  switch (pick(7)) {
    case 0:
      exchange(comm, 1 + (int)pick((unsigned)ranks - 1), (int)pick(2), 1 + pick(8), 0);
      break;
    case 1:
      exchange(comm, 1, 2, 1 + pick(4), 1);  // all with tag 2 come from the left neighbour
      break;
    case 2:
      pair(comm, 3, pick(3));
      break;
    case 3:
      collectives(comm);
      break;
    case 4:
      MPI_Startall(2, persistent);
      MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
      break;
    case 5:
      one_sided(window, both, rank ^ 1);
      break;
    default:
      for (int i = 0; rank == 0 && i < 40; ++i)  // this rank records more than the others
        MPI_Sendrecv(from[0], 1, MPI_CHAR, 0, 0, to[0], 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  state = strtoull(argv[1], NULL, 10);
  const int steps = atoi(argv[2]);
  const char* const ending = argc > 3 ? argv[3] : "";
  all[0] = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &all[1]);
  MPI_Request persistent[2];
  static char memory[64], ring[2][64];
  MPI_Recv_init(ring[0], 64, MPI_CHAR, (rank + ranks - 1) % ranks, 7, all[1], &persistent[0]);
  MPI_Send_init(ring[1], 64, MPI_CHAR, (rank + 1) % ranks, 7, all[1], &persistent[1]);
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Group world, both;
  const int peer[1] = {rank ^ 1};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, peer[0] < ranks, peer, &both);
  MPI_Win_fence(0, window);
  for (int i = 0; i < steps; ++i) step(persistent, window, both);
  for (int i = 0; strcmp(ending, "dups") == 0 && i < 8000; ++i) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
  }
  if (strcmp(ending, "kill") == 0 && rank == 1) raise(SIGKILL);
  if (strcmp(ending, "freed") == 0) {
    MPI_Request request;
    MPI_Irecv(to[0], 8, MPI_CHAR, rank, 50, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Send(from[0], 8, MPI_CHAR, rank, 50, MPI_COMM_WORLD);
  }
  MPI_Request_free(&persistent[0]);
  MPI_Request_free(&persistent[1]);
  MPI_Win_free(&window);
  MPI_Comm_free(&all[1]);
  MPI_Finalize();
  return 0;
}
