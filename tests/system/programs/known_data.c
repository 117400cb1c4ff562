/* SPDX-License-Identifier: BSD-3-Clause
   Two ranks exchange an array, wait, and then compute: `independent` reads nothing that came, `dependent`
   does with every result, `mixed` with the first quarter of them. The argument says how the data gets to
   them. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline))

enum { COUNT = 16384, STEPS = 48 }; /* enough samples that one in a neighbour is less than a hundredth */

static double own[COUNT];
static double other[COUNT];
static double result[COUNT];
static double derived[COUNT];
static double copies[2][COUNT];
static double in[2][2 * COUNT];
static double out[2 * COUNT];
static struct timespec pause_before_send;

static APART void independent(double* to, const double* from) {
  for (int i = 0; i < COUNT; ++i) to[i] = 0.5 * to[i] + from[i];
}

static APART void dependent(double* to, const double* from) {
  for (int i = 0; i < COUNT; ++i) to[i] = 0.25 * to[i] + from[i];
}

static APART void mixed(double* to, const double* came) {
  for (int i = 0; i < COUNT; ++i) to[i] = 0.5 * to[i] + (i < COUNT / 4 ? came : own)[i];
}

static APART void unpack(double* to, const double* from, int stride) {
  for (int i = 0; i < COUNT; ++i) to[i] = from[stride * i];
}

static void exchange(double* to, int count) {
  int rank = 0;
  MPI_Request requests[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(to, count, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  if (pause_before_send.tv_nsec > 0) nanosleep(&pause_before_send, NULL);
  MPI_Isend(out, count, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void exchange_with_itself(double* to, double* to_own) {
  int rank = 0;
  MPI_Request requests[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(to_own, COUNT, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(to, COUNT, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, COUNT, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out, COUNT, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* What lies between the values that came. */
static APART void gaps(double* to, const double* from) {
  for (int i = 0; i < COUNT; ++i) to[i] = 0.5 * to[i] + from[2 * i + 1];
}

/* Every second value arrives. */
static void exchange_by_type(double* to) {
  int rank = 0;
  MPI_Datatype every_second = MPI_DATATYPE_NULL;
  MPI_Request requests[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(COUNT, 1, 2, MPI_DOUBLE, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Irecv(to, 1, every_second, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 1, every_second, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&every_second);
}

static void exchange_by_counts(double* to) {
  const int counts[2] = {COUNT / 2, COUNT / 2};
  const int places[2] = {0, COUNT / 2};
  MPI_Alltoallv(out, counts, places, MPI_DOUBLE, to, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void fetch(double* to) {
  static MPI_Win window = MPI_WIN_NULL;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (window == MPI_WIN_NULL) MPI_Win_create(out, sizeof out, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Get(to, COUNT, MPI_DOUBLE, 1 - rank, 0, COUNT, MPI_DOUBLE, window);
  MPI_Win_fence(0, window);
}

/* Ways of communication that not all languages' programs have. */
static int other_step(const char* mode) {
  double* came = in[0];
  if (strcmp(mode, "datatype") == 0) {
    exchange_by_type(came);
    unpack(copies[0], came, 2);
    dependent(result, copies[0]);
    gaps(other, came);
  } else if (strcmp(mode, "counts") == 0) {
    exchange_by_counts(came);
    dependent(result, came);
    independent(other, own);
  } else if (strcmp(mode, "fetched") == 0) {
    fetch(came);
    dependent(result, came);
    independent(other, own);
  } else if (strcmp(mode, "from-itself") == 0) { /* no network brings what a rank sends to itself */
    exchange_with_itself(came, in[1]);
    dependent(result, came);
    independent(other, in[1]);
  } else if (strcmp(mode, "asleep") == 0) { /* a thread without a processor does no work */
    pause_before_send.tv_nsec = 3000000;
    exchange(came, COUNT);
    dependent(copies[0], own);
    independent(other, own);
    unpack(out, copies[0], 1);
  } else {
    return 0;
  }
  return 1;
}

static void step(const char* mode, int number) {
  if (other_step(mode)) return;
  const int twice = strcmp(mode, "strided") == 0 ? 2 : 1;
  const int doubled = strcmp(mode, "double-buffered") == 0;
  double* came = in[doubled ? number % 2 : 0];
  exchange(came, twice * COUNT);
  if (strcmp(mode, "interior") == 0) {
    independent(result, own);
  } else if (strcmp(mode, "boundary") == 0) {
    dependent(result, came);
  } else if (strcmp(mode, "packed") == 0) {
    unpack(copies[0], came, 1);
    mixed(result, copies[0]);
  } else if (strcmp(mode, "strided") == 0) {
    unpack(copies[0], came, 2);
    mixed(result, copies[0]);
  } else if (doubled) { /* what came before can be read while this comes */
    independent(result, in[(number + 1) % 2]);
  } else if (strcmp(mode, "reused") == 0) { /* derived from what came before to the same place */
    independent(result, derived);
    dependent(derived, came);
  } else if (strcmp(mode, "copied-twice") == 0) {
    memcpy(copies[0], came, sizeof copies[0]);
    unpack(copies[1], copies[0], 1);
    dependent(result, copies[1]);
    independent(other, own);
  } else if (strcmp(mode, "sent") == 0) { /* by the next step */
    dependent(out, own);
    independent(other, own);
  } else if (strcmp(mode, "sent-packed") == 0) {
    dependent(copies[0], own);
    independent(other, own);
    unpack(out, copies[0], 1);
  } else {
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < COUNT; ++i) own[i] = i % 7;
  for (int i = 0; i < 2 * COUNT; ++i) out[i] = i % 5;
  for (int number = 0; number < STEPS; ++number) step(argc > 1 ? argv[1] : "", number);
  return MPI_Finalize();
}
