// SPDX-License-Identifier: BSD-3-Clause
// The surroundings of the standard's edge cases: communicators, buffers, values that MPI must not look at, and the
// file to which each rank writes what it sees. A case is started by its number; the files of a run are compared.
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 64, MANY = 8 };

static int rank, ranks, left, right, half, others;  // `others`: ranks of the other half
static MPI_Comm comm, groups, ring, lone;  // `groups`: even and odd ranks; `lone`: this rank
static MPI_Comm inter;                     // a duplicate of `groups`, for the cases that use it
static MPI_Datatype freed_type, pair, none;         // `pair`: two ints; `none`: no data
static MPI_Info info = MPI_INFO_NULL;
static MPI_Request r[4];
static int out[PLACES], in[PLACES], shared[PLACES];
static int counts_n[MANY], mine_n[MANY], twos_n[MANY], fours_n[MANY], displs_n[MANY], bytes_n[MANY], zeros_n[MANY], no_displs_n[MANY];
static MPI_Aint spaces[MANY], spaces_n[MANY];
static MPI_Datatype types[MANY], nulls[MANY];
#if MPI_VERSION >= 4
static MPI_Count counts_c[MANY], mine_c[MANY], twos_c[MANY], fours_c[MANY], zeros_c[MANY], spaces_c[MANY];
static MPI_Aint displs_c[MANY], bytes_c[MANY], no_displs_c[MANY];
#endif
static FILE* text;

// What an ignored argument may have: addresses that nobody can read, counts that nothing has, freed handles.
#define NOWHERE ((void*)0x10)
#define HUGE_n INT32_MAX
#define HUGE_c ((MPI_Count)1 << 60)
#define NEGATIVE (-77)
// Types of variables that calls for large counts want otherwise.
#define COUNT_n int
#define COUNT_c MPI_Count
#define AINT_n MPI_Aint
#define AINT_c MPI_Count

static void say(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(text, format, values);
  va_end(values);
  fputc('\n', text);
  fflush(text);
}

/// A buffer's content as one number.
static void say_data(const char* name, const int* data) {
  uint64_t sum = 14695981039346656037u;
  for (int i = 0; i < PLACES; ++i) sum = (sum ^ (uint32_t)data[i]) * 1099511628211u;
  say("%s %016llx", name, (unsigned long long)sum);
}

static void say_code(const char* name, int code) {
  int class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
  say("%s %d", name, class);
}

/// A status without its error, which only some calls set.
static void say_status(const MPI_Status* status, MPI_Datatype type) {
  int count = 0;
  int cancelled = 0;
  MPI_Get_count(status, type, &count);
  MPI_Test_cancelled(status, &cancelled);
  say("status %d %d %d %d", status->MPI_SOURCE, status->MPI_TAG, count, cancelled);
}

static void say_comm(MPI_Comm made) {
  if (made == MPI_COMM_NULL) {
    say("no communicator");
    return;
  }
  int own, all, is_inter, remote = 0;
  MPI_Comm_rank(made, &own);
  MPI_Comm_size(made, &all);
  MPI_Comm_test_inter(made, &is_inter);
  if (is_inter) MPI_Comm_remote_size(made, &remote);
  say("communicator %d of %d %d", own, all, remote);
}

static void free_comm(MPI_Comm made) {
  say_comm(made);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

static void say_type(MPI_Datatype made) {
  MPI_Aint lower, extent;
  int size;
  MPI_Type_get_extent(made, &lower, &extent);
  MPI_Type_size(made, &size);
  say("type %d %ld %ld", size, (long)lower, (long)extent);
  MPI_Type_free(&made);
}

static int is_null(MPI_Request request) { return request == MPI_REQUEST_NULL; }

/// A user's operation with more local variables than the stack of a library's thread may hold.
static void add_with_locals(void* from, void* into, int* count, MPI_Datatype* type) {
  volatile char locals[400 << 10];
  (void)type;
  for (size_t i = 0; i < sizeof locals; i += 256) locals[i] = 1;
  for (int i = 0; i < *count; ++i) ((int*)into)[i] += ((int*)from)[i] * locals[256];
}

static void fill(void) {
  for (int i = 0; i < PLACES; ++i) {
    out[i] = 1000 * (rank + 1) + i;
    in[i] = -1 - i;
    shared[i] = 500 * (rank + 1) + i;
  }
  for (int i = 0; i < 4; ++i) r[i] = MPI_REQUEST_NULL;
}

static void set_up(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks;
  right = (rank + 1) % ranks;
  half = rank % 2;
  others = half ? (ranks + 1) / 2 : ranks / 2;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm mine;
  MPI_Comm_split(comm, half, rank, &mine);
  MPI_Intercomm_create(mine, 0, comm, half ? 0 : 1, 7, &groups);
  MPI_Comm_free(&mine);
  MPI_Comm_split(comm, rank, 0, &lone);
  MPI_Cart_create(comm, 1, &ranks, (int[]){1}, 0, &ring);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_contiguous(0, MPI_INT, &none);
  MPI_Type_commit(&none);
  MPI_Datatype freed;
  MPI_Type_contiguous(3, MPI_INT, &freed);
  freed_type = freed;
  MPI_Type_free(&freed);
  for (int i = 0; i < MANY; ++i) {
    counts_n[i] = 1 + i % 2;
    mine_n[i] = 1 + rank % 2;
    twos_n[i] = 2;
    displs_n[i] = 3 * i;
    bytes_n[i] = 12 * i;
    spaces[i] = spaces_n[i] = 12 * i;
    fours_n[i] = 4;
    types[i] = MPI_INT;
    nulls[i] = MPI_DATATYPE_NULL;
#if MPI_VERSION >= 4
    counts_c[i] = counts_n[i];
    mine_c[i] = mine_n[i];
    twos_c[i] = 2;
    displs_c[i] = displs_n[i];
    bytes_c[i] = bytes_n[i];
    spaces_c[i] = spaces[i];
    fours_c[i] = 4;
#endif
  }
}

static void tear_down(void) {
  MPI_Type_free(&pair);
  MPI_Type_free(&none);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&lone);
  MPI_Comm_free(&groups);
  MPI_Comm_free(&comm);
}

struct Case {
  const char* name;
  void (*run)(void);
  int is_between_groups;
  int fails;
};

/// Errors return in the cases that make some, and end the program in all others: a library must not make an error of
/// its own, which MPI would report to a handler of the program.
static void let_errors(MPI_Errhandler handler) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Comm_set_errhandler(groups, handler);
}

/// `PROGRAM PREFIX NUMBER...`: runs these cases. Each rank writes to PREFIX.RANK.
static int run_cases(int argc, char** argv, const struct Case* all) {
  MPI_Init(&argc, &argv);
  set_up();
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  text = fopen(path, "w");
  for (int i = 2; i < argc; ++i) {
    const struct Case* one = &all[atoi(argv[i])];
    fill();
    let_errors(one->fails ? MPI_ERRORS_RETURN : MPI_ERRORS_ARE_FATAL);
    say("case %s %s", argv[i], one->name);
    // A new one each time: with a null root, MPICH's ranks count nonblocking collectives differently.
    if (one->is_between_groups) MPI_Comm_dup(groups, &inter);
    one->run();
    if (one->is_between_groups) MPI_Comm_free(&inter);
    say_data("out", out);
    say_data("in", in);
    say_data("shared", shared);
    MPI_Barrier(comm);
  }
  let_errors(MPI_ERRORS_ARE_FATAL);
  tear_down();
  const int code = MPI_Finalize();
  say("end %d", code);
  fclose(text);
  return code != MPI_SUCCESS;
}
