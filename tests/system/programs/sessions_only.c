/* SPDX-License-Identifier: BSD-3-Clause
   Programs with sessions and without MPI_Init, by the argument:
   `once`, `twice` (a session after another), `open` (never finalized), `dies` (rank 1 is killed), `parts` (no
   communicator of all processes), `two` (two sessions at once), `threads` (two threads make communicators of all).
   With MPI_Init: `before` (a session precedes it), `after` (a session follows MPI_Finalize). */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { rounds = 5, doubles = 2000 };

static int is(const char* given, const char* name) { return strcmp(given, name) == 0; }

static MPI_Session begun(int several_threads) {
  MPI_Session session;
  MPI_Info info;
  MPI_Info_create(&info);
  if (several_threads) MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
  MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Info_free(&info);
  return session;
}

static MPI_Comm made_in(MPI_Session session, const char* set, const char* tag) {
  MPI_Group group;
  MPI_Comm made;
  MPI_Group_from_session_pset(session, set, &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  MPI_Group_free(&group);
  return made;
}

/* A ring of messages, and the sum of all ranks. */
static int exchanged(MPI_Comm all) {
  int rank, ranks, sum = 0;
  double out[doubles] = {0}, in[doubles];
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    MPI_Irecv(in, doubles, MPI_DOUBLE, (rank + ranks - 1) % ranks, round, all, &requests[0]);
    MPI_Isend(out, doubles, MPI_DOUBLE, (rank + 1) % ranks, round, all, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
  return sum;
}

static void print_from(MPI_Comm all, int sum) {
  int rank;
  MPI_Comm_rank(all, &rank);
  if (rank == 0) printf("%d\n", sum);
  fflush(stdout);
}

/* With MPICH, a rank that starts MPI again finds the first start's shared memory by its name, until the rank that made
   it has removed it (https://github.com/pmodels/mpich/issues/7852): the two then wait for ever, or abort. */
static void wait_for_the_other_ranks_end(void) { usleep(500 * 1000); }

static void in_a_session(const char* how) {
  MPI_Session session = begun(0);
  MPI_Comm all = made_in(session, "mpi://WORLD", "all");
  const int sum = exchanged(all);
  if (is(how, "dies")) {
    int rank;
    MPI_Comm_rank(all, &rank);
    if (rank == 1) {
      sleep(1); /* the others get into their receive */
      raise(SIGKILL);
    }
    MPI_Recv(&rank, 1, MPI_INT, 1, 99, all, MPI_STATUS_IGNORE);
  }
  print_from(all, sum);
  if (is(how, "open")) {
    MPI_Barrier(all);
    sleep(1); /* the first rank to leave may end the others */
  }
  MPI_Comm_free(&all);
  if (!is(how, "open")) MPI_Session_finalize(&session);
}

static void in_parts(void) {
  MPI_Session session = begun(0);
  MPI_Group group, half;
  MPI_Comm made;
  int rank, ranks;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Group_rank(group, &rank);
  MPI_Group_size(group, &ranks);
  MPI_Group_range_incl(group, 1, (int[1][3]){{rank % 2, ranks - 2 + rank % 2, 2}}, &half);
  MPI_Comm_create_from_group(half, "half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  const int sum = exchanged(made);
  if (rank == 0) printf("%d\n", sum);
  MPI_Comm_free(&made);
  MPI_Group_free(&half);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

static void two_at_once(void) {
  MPI_Session first = begun(0), second = begun(0);
  MPI_Comm all = made_in(first, "mpi://WORLD", "first"), others = made_in(second, "mpi://WORLD", "second");
  MPI_Comm own = made_in(second, "mpi://SELF", "own");
  print_from(all, exchanged(all) + exchanged(others) + exchanged(own));
  MPI_Comm_free(&own);
  MPI_Comm_free(&others);
  MPI_Session_finalize(&second);
  MPI_Comm_free(&all);
  MPI_Session_finalize(&first);
}

struct Part {
  MPI_Session session;
  const char* tag;
  int sum;
};

static void* of_a_thread(void* given) {
  struct Part* part = given;
  MPI_Comm all = made_in(part->session, "mpi://WORLD", part->tag);
  part->sum = exchanged(all);
  MPI_Comm_free(&all);
  return NULL;
}

static void in_threads(void) {
  MPI_Session session = begun(1);
  struct Part parts[2] = {{session, "one", 0}, {session, "other", 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, of_a_thread, &parts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  MPI_Comm all = made_in(session, "mpi://WORLD", "all");
  print_from(all, parts[0].sum + parts[1].sum);
  MPI_Comm_free(&all);
  MPI_Session_finalize(&session);
}

static void with_init(const char* how) {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  if (is(how, "before")) {
    session = begun(0);
    made = made_in(session, "mpi://WORLD", "all");
  }
  MPI_Init(NULL, NULL);
  int sum = exchanged(MPI_COMM_WORLD);
  if (made != MPI_COMM_NULL) sum += exchanged(made);
  print_from(MPI_COMM_WORLD, sum);
  if (made != MPI_COMM_NULL) {
    MPI_Comm_free(&made);
    MPI_Session_finalize(&session);
  }
  MPI_Finalize();
  if (is(how, "after")) {
    wait_for_the_other_ranks_end();
    in_a_session(how);
  }
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "once";
  if (is(how, "before") || is(how, "after")) {
    with_init(how);
  } else if (is(how, "parts")) {
    in_parts();
  } else if (is(how, "two")) {
    two_at_once();
  } else if (is(how, "threads")) {
    in_threads();
  } else {
    in_a_session(how);
    if (is(how, "twice")) {
      wait_for_the_other_ranks_end();
      in_a_session(how);
    }
  }
  return 0;
}
