/* SPDX-License-Identifier: BSD-3-Clause
   Repeated products of a sparse matrix and a vector. A rank owns the rows of a strip of a mesh; some rows
   also read a column of any rank. The values that other ranks need are packed by lists and arrive behind the
   own ones. With `--overlap` the rows that read none of these are multiplied before the wait. */
#include "program.h"

enum { POINTS = 5, MOST = POINTS + 1 };

static int rows = 256; /* of the strip's mesh, of `columns` each */
static int columns = 256;
static int far = 4; /* rows of a thousand that read a column of any rank */
static int steps = 20;
static int overlap = 0;
static int rank = 0;
static int ranks = 1;

static int own;        /* rows of the matrix */
static int* begin_of;  /* of each row, in the two that follow */
static int* column_of; /* own columns, then those of others from `own` on */
static double* value_of;
static int* all_rows;
static int* inner_rows;
static int* outer_rows;
static int inner, outer;

/* By rank: how many values are given and taken, and where the lists begin. */
static int *given, *taken, *given_from, *taken_from;
static int* give; /* own columns, list after list */
static double* out;

static void* zeroed(size_t count, size_t bytes) {
  void* made = calloc(count > 0 ? count : 1, bytes);
  if (made == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return made;
}

/* The global number of the column that point `k` of a row reads; -1: the row has no such point. */
static long column(int row, int k) {
  const long n = (long)own * ranks;
  const long global = (long)own * rank + row;
  const int j = row % columns;
  if (k == 0) return global;
  if (k == 1) return j > 0 ? global - 1 : -1;
  if (k == 2) return j < columns - 1 ? global + 1 : -1;
  if (k == 3) return (global - columns + n) % n;
  if (k == 4) return (global + columns) % n;
  const unsigned long drawn = (unsigned long)global * 6364136223846793005UL + 1442695040888963407UL;
  return (long)(drawn >> 33) % 1000 < far ? (long)((drawn >> 11) % (unsigned long)n) : -1;
}

static int ascending(const void* one, const void* other) {
  const long a = *(const long*)one;
  const long b = *(const long*)other;
  return (a > b) - (a < b);
}

/* The columns of other ranks, each once, in ascending order. */
static long* ghosts(int* count) {
  long* found = zeroed((size_t)own * MOST, sizeof *found);
  int all = 0;
  for (int row = 0; row < own; ++row) {
    for (int k = 0; k < MOST; ++k) {
      const long one = column(row, k);
      if (one >= 0 && one / own != rank) found[all++] = one;
    }
  }
  qsort(found, (size_t)all, sizeof *found, ascending);
  *count = 0;
  for (int k = 0; k < all; ++k) {
    if (k == 0 || found[k] != found[k - 1]) found[(*count)++] = found[k];
  }
  return found;
}

static void make_lists(const long* wanted, int count) {
  given = zeroed((size_t)ranks, sizeof *given);
  taken = zeroed((size_t)ranks, sizeof *taken);
  given_from = zeroed((size_t)ranks, sizeof *given_from);
  taken_from = zeroed((size_t)ranks, sizeof *taken_from);
  int* asked = zeroed((size_t)count, sizeof *asked);
  for (int k = 0; k < count; ++k) {
    ++taken[wanted[k] / own];
    asked[k] = (int)(wanted[k] % own);
  }
  MPI_Alltoall(taken, 1, MPI_INT, given, 1, MPI_INT, MPI_COMM_WORLD);
  int all = given[0];
  for (int other = 1; other < ranks; ++other) {
    taken_from[other] = taken_from[other - 1] + taken[other - 1];
    given_from[other] = given_from[other - 1] + given[other - 1];
    all += given[other];
  }
  give = zeroed((size_t)all, sizeof *give);
  out = new_doubles((size_t)all + 1);
  MPI_Alltoallv(asked, taken, taken_from, MPI_INT, give, given, given_from, MPI_INT, MPI_COMM_WORLD);
  free(asked);
}

static void make_matrix(const long* wanted, int count) {
  begin_of = zeroed((size_t)own + 1, sizeof *begin_of);
  column_of = zeroed((size_t)own * MOST, sizeof *column_of);
  value_of = new_doubles((size_t)own * MOST);
  all_rows = zeroed((size_t)own, sizeof *all_rows);
  inner_rows = zeroed((size_t)own, sizeof *inner_rows);
  outer_rows = zeroed((size_t)own, sizeof *outer_rows);
  int next = 0;
  for (int row = 0; row < own; ++row) {
    int reads_others = 0;
    begin_of[row] = next;
    for (int k = 0; k < MOST; ++k) {
      const long one = column(row, k);
      if (one < 0) continue;
      if (one / own == rank) {
        column_of[next] = (int)(one % own);
      } else {
        const long* found = bsearch(&one, wanted, (size_t)count, sizeof one, ascending);
        column_of[next] = own + (int)(found - wanted);
        reads_others = 1;
      }
      value_of[next++] = k == 0 ? 0.5 : 0.1;
    }
    all_rows[row] = row;
    if (reads_others) {
      outer_rows[outer++] = row;
    } else {
      inner_rows[inner++] = row;
    }
  }
  begin_of[own] = next;
}

static void pack(const double* x) {
  const int all = given_from[ranks - 1] + given[ranks - 1];
  for (int k = 0; k < all; ++k) out[k] = x[give[k]];
}

static int start(double* x, MPI_Request* requests) {
  int started = 0;
  for (int other = 0; other < ranks; ++other) {
    if (taken[other] == 0) continue;
    MPI_Irecv(x + own + taken_from[other], taken[other], MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
              &requests[started++]);
  }
  for (int other = 0; other < ranks; ++other) {
    if (given[other] == 0) continue;
    MPI_Isend(out + given_from[other], given[other], MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
              &requests[started++]);
  }
  return started;
}

static void multiply(const double* x, double* y, const int* list, int count) {
  for (int i = 0; i < count; ++i) {
    const int row = list[i];
    double sum = 0;
    for (int k = begin_of[row]; k < begin_of[row + 1]; ++k) sum += value_of[k] * x[column_of[k]];
    y[row] = sum;
  }
}

static void step(double* x, double* y, MPI_Request* requests) {
  pack(x);
  const int started = start(x, requests);
  if (overlap) {
    multiply(x, y, inner_rows, inner);
    MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
    multiply(x, y, outer_rows, outer);
  } else {
    MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
    multiply(x, y, all_rows, own);
  }
}

int main(int argc, char** argv) {
  const struct option options[] = {{"--rows", &rows, 1},
                                   {"--columns", &columns, 1},
                                   {"--far", &far, 0},
                                   {"--steps", &steps, 1},
                                   {"--overlap", &overlap, -1}};
  MPI_Init(&argc, &argv);
  read_options(argc, argv, "options: --rows N --columns N --far N --steps N --overlap; give a number from 1",
               options, 5);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  own = rows * columns;
  int count = 0;
  long* wanted = ghosts(&count);
  make_lists(wanted, count);
  make_matrix(wanted, count);
  free(wanted);
  double* x = new_doubles((size_t)own + (size_t)count);
  double* y = new_doubles((size_t)own + (size_t)count);
  for (int k = 0; k < own; ++k) x[k] = (k * 7 + rank) % 101;
  MPI_Request* requests = zeroed(2 * (size_t)ranks, sizeof(MPI_Request));

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin_s = MPI_Wtime();
  for (int n = 0; n < steps; ++n) {
    step(x, y, requests);
    double* swapped = x;
    x = y;
    y = swapped;
  }
  const double own_s = MPI_Wtime() - begin_s;

  double sum = 0;
  for (int k = 0; k < own; ++k) sum += x[k];
  print_result("sparse", own_s, sum, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
