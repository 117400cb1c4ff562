// SPDX-License-Identifier: BSD-3-Clause
// An unmodified program that checks the effects of libstretto_progress.so, on two ranks or more.
// `progressed MODE`: prints `ok` on rank 0, or exits in the way that MODE names.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES (8 << 20)

static int rank, size;

static void fail(const char* what) {
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank 1 makes no MPI call until rank 0 has sent, which a file shows; at most ten seconds. */
static void rendezvous(const char* file) {
  char* data = malloc(BYTES);
  MPI_Request request;
  memset(data, rank == 0 ? 7 : 0, BYTES);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(data, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fclose(fopen(file, "w"));
  } else if (rank == 1) {
    struct stat found;
    int waits = 0;
    MPI_Irecv(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    while (stat(file, &found) != 0 && ++waits < 1000) usleep(10000);
    const int progressed = stat(file, &found) == 0;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (data[0] != 7 || data[BYTES - 1] != 7) fail("wrong data");
    puts(progressed ? "sent while the receiver computed" : "sent when the receiver waited");
  }
  free(data);
}

/* Every way to start and to complete requests; the data is checked. */
static void exchange(void) {
  enum { count = 6 };
  int sent[count], received[count], indices[2 * count], done = 0, flag = 0, index = 0;
  MPI_Request requests[2 * count];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int way = 0; way < 6; ++way) {
    for (int i = 0; i < count; ++i) {
      sent[i] = 100 * rank + i;
      MPI_Irecv(&received[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
      MPI_Isend(&sent[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &requests[count + i]);
    }
    switch (way) {
      case 0: MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE); break;
      case 1: for (int i = 0; i < 2 * count; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE); break;
      case 2: do { MPI_Testall(2 * count, requests, &flag, MPI_STATUSES_IGNORE); } while (!flag); break;
      case 3: do { MPI_Waitany(2 * count, requests, &index, MPI_STATUS_IGNORE); } while (index != MPI_UNDEFINED); break;
      case 4: while (MPI_Waitsome(2 * count, requests, &done, indices, MPI_STATUSES_IGNORE), done != MPI_UNDEFINED) {} break;
      default: for (int i = 0; i < 2 * count; ++i) do { MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE); } while (!flag);
    }
    for (int i = 0; i < count; ++i) if (received[i] != 100 * left + i) fail("wrong number");
  }
  int sum = 0;
  MPI_Request request;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (sum != size * (size - 1) / 2) fail("wrong sum");
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Request both[2];
  MPI_Send_init(&rank, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &both[0]);
  MPI_Recv_init(&sum, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &both[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (sum != left) fail("wrong persistent number");
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE); /* inactive */
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

/* Two threads of a program that has asked for MPI_THREAD_MULTIPLE, each with its own tags. */
static void* talk(void* argument) {
  const int tag = *(int*)argument, right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < 200; ++i) {
    int out = 1000 * rank + i, in = -1;
    MPI_Request both[2];
    MPI_Irecv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(&out, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    if (in != 1000 * left + i) fail("wrong number of a thread");
  }
  return NULL;
}

static void threads(void) {
  int tags[2] = {501, 502};
  pthread_t other;
  pthread_create(&other, NULL, talk, &tags[1]);
  talk(&tags[0]);
  pthread_join(other, NULL);
}

/* Each rank tests its requests until they are complete, as a program does that makes progress by itself. */
static void poll(void) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  char* out = malloc(BYTES);
  char* in = malloc(BYTES);
  for (int i = 0; i < 5; ++i) {
    MPI_Request both[2];
    int done = 0;
    memset(out, rank + i, BYTES);
    MPI_Irecv(in, BYTES, MPI_BYTE, left, 7, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(out, BYTES, MPI_BYTE, right, 7, MPI_COMM_WORLD, &both[1]);
    while (!done) MPI_Testall(2, both, &done, MPI_STATUSES_IGNORE);
    if (in[0] != (char)(left + i) || in[BYTES - 1] != (char)(left + i)) fail("wrong data");
  }
  free(out);
  free(in);
}

/* Two processes more, which run the exchange among themselves and say so to their parents. */
static void spawn(char* program) {
  MPI_Comm children;
  char* arguments[] = {"child", NULL};
  int sum = 0, own = 0;
  MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, children);
  if (sum != 2) fail("not two children");
  MPI_Comm_disconnect(&children);
}

static void answer_parents(void) {
  MPI_Comm parents;
  int own = 1, sum = 0;
  MPI_Comm_get_parent(&parents);
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, parents);
  MPI_Comm_disconnect(&parents);
}

#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
/* Without MPI_Init: there is no thread, and nothing else changes. */
static int sessions(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm world;
  int sum = 0, own = 1;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "progressed", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Request request;
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) puts(sum == size ? "ok" : "wrong sum");
  MPI_Comm_free(&world);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return 0;
}
#else
static int sessions(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) puts("ok");
  MPI_Finalize();
  return 0;
}
#endif

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "exchange";
  int provided = -1, queried = -1;
  if (strcmp(mode, "sessions") == 0) return sessions();
  const int level = strcmp(mode, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  if (strcmp(mode, "plain-init") == 0) {
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&provided);
    if (provided != MPI_THREAD_SINGLE) return 3;
  } else {
    MPI_Init_thread(&argc, &argv, level, &provided);
    MPI_Query_thread(&queried);
    if (provided != level || queried != provided) return 3;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(mode, "rendezvous") == 0) {
    rendezvous(argv[2]);
  } else if (strcmp(mode, "abort") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 5);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(mode, "fork") == 0) {
    const pid_t child = fork();
    int status = -1;
    if (child == 0) exit(6); /* runs the handlers of exit() without the thread */
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 6) fail("the child did not exit with 6");
  } else if (strcmp(mode, "pending") == 0) {
    static int never;
    MPI_Request request;
    MPI_Irecv(&never, 1, MPI_INT, rank, 77, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  if (strcmp(mode, "threads") == 0) threads();
  if (strcmp(mode, "poll") == 0) poll();
  if (strcmp(mode, "spawn") == 0) spawn(argv[0]);
  exchange();
  if (strcmp(mode, "child") == 0) {
    answer_parents();
  } else if (rank == 0) {
    puts("ok");
  }
  static int unreceived;
  MPI_Request forgotten;
  if (strcmp(mode, "forgotten") == 0) {
    MPI_Irecv(&unreceived, 1, MPI_INT, (rank + 1) % size, 99, MPI_COMM_WORLD, &forgotten);
  }
  MPI_Finalize();
  return strcmp(mode, "status") == 0 ? 4 : 0;
}
