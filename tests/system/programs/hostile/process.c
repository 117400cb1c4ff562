/* SPDX-License-Identifier: BSD-3-Clause
 * What a process does besides: signals, children, communicators of every kind. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

static volatile sig_atomic_t alarms;
static void count_alarm(int number) {
  (void)number;
  ++alarms;
}

/* Without SA_RESTART: system calls of the runtime and of MPI end early all the time. */
void signals_every_millisecond(void) {
  enum { BYTES = 1 << 20, TIMES = 30 };
  struct sigaction action = {.sa_handler = count_alarm};
  const struct itimerval often = {{0, 1000}, {0, 1000}};
  const struct itimerval never = {{0, 0}, {0, 0}};
  stretto_region* region = new_region(BYTES + 8);
  char* data = malloc(BYTES);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 1; i <= TIMES; ++i) {
    memset(data, i, BYTES);
    DONE(stretto_put_signal(region, right_rank(), 0, data, BYTES, BYTES, 1, STRETTO_FLAG_ADD));
    DONE(stretto_wait_signal(region, BYTES, (uint64_t)i, NULL));
    const char* const mine = local_part(region);
    CHECK(mine[0] == i && mine[BYTES - 1] == i);
    DONE(stretto_barrier(runtime));
  }
  while (alarms == 0) DONE(stretto_poll(runtime));
  setitimer(ITIMER_REAL, &never, NULL);
  free_region(region);
  free(data);
}

static int status_of(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Children end in every way, while operations are pending: the ranks go on. */
void forked(void) {
  stretto_region* region = new_region(1 << 20);
  stretto_handle* handle = NULL;
  char* data = calloc(1, 1 << 20);
  DONE(stretto_nonblocking_put(region, right_rank(), 0, data, 1 << 20, &handle));
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) _exit(3);
  CHECK(status_of(child) == 3);
  child = fork();
  if (child == 0) exit(4);
  CHECK(status_of(child) == 4);
  child = fork();
  if (child == 0) raise(SIGKILL);
  CHECK(status_of(child) == -SIGKILL);
  CHECK(system("exit 5") == 5 << 8);
  DONE(stretto_wait(runtime, &handle));
  FILE* const piped = popen("echo said", "r");
  char line[8] = "";
  CHECK(piped != NULL && fgets(line, sizeof line, piped) != NULL && strcmp(line, "said\n") == 0);
  CHECK(pclose(piped) == 0);
  free_region(region);
  free(data);
}

/* A runtime works over this communicator, also where that is freed at once, and puts to the next of its
 * ranks. */
static void over(MPI_Comm communicator) {
  stretto_runtime* other = NULL;
  stretto_region* region = NULL;
  int rank = -1;
  int size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  DONE(stretto_runtime_create(communicator, &options, &other));
  if (communicator != MPI_COMM_SELF && communicator != MPI_COMM_WORLD) MPI_Comm_free(&communicator);
  CHECK(stretto_rank(other) == rank && stretto_size(other) == size);
  DONE(stretto_region_create(other, 8, &region));
  const int64_t value = 100 + rank;
  DONE(stretto_put(region, (rank + 1) % size, 0, &value, 8));
  DONE(stretto_barrier(other));
  CHECK(*(const int64_t*)local_part(region) == 100 + (rank + size - 1) % size);
  DONE(stretto_barrier(other));
  DONE(stretto_region_free(&region));
  DONE(stretto_runtime_free(&other));
}

void communicators(void) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm part = MPI_COMM_NULL;
  stretto_runtime* other = NULL;
  REFUSED(STRETTO_ERROR_ARGUMENT, "", stretto_runtime_create(MPI_COMM_NULL, &options, &other));
  over(MPI_COMM_SELF);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &made);
  over(made);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &made);
  over(made);
  const int all = ranks;
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &all, &periodic, 1, &made);
  over(made);
  const int neighbour = right_rank();
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &neighbour, MPI_UNWEIGHTED, 1, &neighbour, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &made);
  MPI_Comm_set_errhandler(made, MPI_ERRORS_ARE_FATAL);
  over(made);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  over(made);
  if (ranks > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &made);
    REFUSED(STRETTO_ERROR_ARGUMENT, "", stretto_runtime_create(made, &options, &other));
    MPI_Comm_free(&part);
    MPI_Intercomm_merge(made, me % 2, &part);
    MPI_Comm_free(&made);
    over(part);
  }
  CHECK(other == NULL);
}
