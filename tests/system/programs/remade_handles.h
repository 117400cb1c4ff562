/* SPDX-License-Identifier: BSD-3-Clause
   What remade_program.py surrounds with calls: handles that are made again in every turn, buffers for all calls, and a
   log. IN, MADE, ON and MADE_WINDOW log a call with the members of its communicator or window. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { turns = 4, ints = 1024, most = 8 };

static int rank, ranks, turn;
static int me, size, left, right; /* in comm */
static MPI_Comm comm, ring;
static MPI_Datatype type;
static MPI_Op op;
static MPI_Win win;
static MPI_Group group, next, previous; /* of comm, and its neighbours there */
static MPI_Info info;
static MPI_Errhandler errhandler;
static MPI_Request r[2];
static FILE* text;

static int out[ints], in[ints], shared[ints], window_memory[ints];
static char packed[8192], attached[1 << 16], attached_window[512];
static const char* prefix;

/* Arguments of calls by int counts (_n) and by large counts (_c). */
static int counts_n[most], displs_n[most], bytes_n[most], ones_n[2] = {1, 1}, steps_n[2] = {0, 2}, two_n[1] = {2},
           one_n[1] = {1}, zero_n[1], position_n, detached_n;
static MPI_Aint places_n[2] = {0, 128}, place_n, spaces[most];
#ifdef LARGE_COUNTS
static MPI_Count counts_c[most], ones_c[2] = {1, 1}, steps_c[2] = {0, 2}, two_c[1] = {2}, one_c[1] = {1}, zero_c[1],
                 position_c, detached_c, places_c[2] = {0, 128}, place_c;
static MPI_Aint displs_c[most], bytes_c[most];
#endif
static MPI_Datatype types[most];

static void members_of(MPI_Group of) {
  MPI_Group world;
  int count, from[most], to[most];
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_size(of, &count);
  for (int i = 0; i < count; ++i) from[i] = i;
  MPI_Group_translate_ranks(of, count, from, world, to);
  for (int i = 0; i < count; ++i) fprintf(text, "%c%d", i == 0 ? ' ' : ',', to[i]);
  MPI_Group_free(&world);
}

static void say(const char* call, int own, MPI_Group local, MPI_Group remote) {
  int bytes = 0;
  if (type != MPI_DATATYPE_NULL) MPI_Type_size(type, &bytes);
  fprintf(text, "%.*s %d %d", (int)strcspn(call, "("), call, bytes, own);
  members_of(local);
  if (remote != MPI_GROUP_NULL) members_of(remote);
  fputs("\n", text);
}

static void said(const char* call, MPI_Comm on) {
  MPI_Group local, remote = MPI_GROUP_NULL;
  int own, inter;
  MPI_Comm_rank(on, &own);
  MPI_Comm_test_inter(on, &inter);
  MPI_Comm_group(on, &local);
  if (inter) MPI_Comm_remote_group(on, &remote);
  say(call, own, local, remote);
  MPI_Group_free(&local);
  if (inter) MPI_Group_free(&remote);
}

static void said_window(const char* call, MPI_Win on) {
  MPI_Group local;
  int own;
  MPI_Win_get_group(on, &local);
  MPI_Group_rank(local, &own);
  say(call, own, local, MPI_GROUP_NULL);
  MPI_Group_free(&local);
}

#define IN(on, ...) (said(#__VA_ARGS__, on), __VA_ARGS__)
#define MADE(made, ...) (__VA_ARGS__, said(#__VA_ARGS__, made))
#define ON(window, ...) (said_window(#__VA_ARGS__, window), __VA_ARGS__)
#define MADE_WINDOW(made, ...) (__VA_ARGS__, said_window(#__VA_ARGS__, made))

/* Adds the integers of which elements of any type consist. */
static void add(void* from, void* into, int* length, MPI_Datatype* of) {
  int bytes;
  MPI_Type_size(*of, &bytes);
  for (int i = 0; i < *length * bytes / (int)sizeof(int); ++i) ((int*)into)[i] += ((int*)from)[i];
}

static void ignore(MPI_Comm* on, int* code, ...) { (void)on, (void)code; }

static void begin(void) {
  for (int i = 0; i < ints; ++i) out[i] = 1000 * rank + i, in[i] = -1, shared[i] = me == 0 ? i : -1;
}

static void result(const char* block, int windows) {
  unsigned sum = 0;
  for (int i = 0; i < ints; ++i) sum = 31 * sum + (unsigned)(in[i] + 7 * shared[i]);
  for (int i = 0; windows && i < ints; ++i) sum = 31 * sum + (unsigned)window_memory[i];
  fprintf(text, "%s %s %u\n", windows ? "=windows" : "=", block, sum);
}

/* A message and a barrier on a communicator, which may have been made at the place of a dead one. */
static void use(MPI_Comm made) {
  int own, count, inter;
  MPI_Comm_test_inter(made, &inter);
  MPI_Comm_rank(made, &own);
  MPI_Comm_size(made, &count);
  IN(made, MPI_Barrier(made));
  if (inter) return;
  IN(made, MPI_Sendrecv(out, 1, MPI_INT, (own + 1) % count, 6, in, 1, MPI_INT, (own + count - 1) % count, 6, made,
                        MPI_STATUS_IGNORE));
}

static void use_and_free(MPI_Comm* made) {
  use(*made);
  IN(*made, MPI_Comm_free(made));
}

static void use_type(MPI_Datatype* made) {
  MPI_Type_commit(made);
  IN(comm, MPI_Sendrecv(out, 1, *made, me, 4, in, 1, *made, me, 4, comm, MPI_STATUS_IGNORE));
  MPI_Type_free(made);
}

static void use_window(MPI_Win* made) {
  ON(*made, MPI_Win_fence(0, *made));
  ON(*made, MPI_Put(out, 1, MPI_INT, right, 0, 1, MPI_INT, *made));
  ON(*made, MPI_Win_fence(0, *made));
  ON(*made, MPI_Win_free(made));
}

/* A message around comm: a receive and a send that are under way. */
static void both(void) {
  IN(comm, MPI_Irecv(in, 1, type, left, 1, comm, &r[0]));
  IN(comm, MPI_Isend(out, 1, type, right, 1, comm, &r[1]));
}

/* How often a new handle had the value of the dead one of its kind. */
static int again[5];
static const char* const kinds[] = {"comm", "type", "window", "group", "request"};
static union {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Win window;
  MPI_Group group;
  MPI_Request request;
} dead[5];
#define COUNT_AGAIN(kind, member, handle) (again[kind] += dead[kind].member == (handle), dead[kind].member = (handle))

static void make(void) {
  if (turn % 2 == 0) {
    MADE(comm, MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  } else {
    MADE(comm, MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm));
  }
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  left = (me + size - 1) % size, right = (me + 1) % size;
  if (turn < 2) {
    MADE(ring, MPI_Cart_create(comm, 1, &size, (int[]){1}, 0, &ring));
  } else {
    MADE(ring, MPI_Dist_graph_create_adjacent(comm, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                              MPI_INFO_NULL, 0, &ring));
  }
  MPI_Type_contiguous(turn + 1, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(add, 1, &op);
  MPI_Comm_group(comm, &group);
  MPI_Group_incl(group, 1, &right, &next);
  MPI_Group_incl(group, 1, &left, &previous);
  MPI_Info_create(&info);
  MPI_Comm_create_errhandler(ignore, &errhandler);
  MPI_Comm_set_errhandler(ring, errhandler);
  MPI_Errhandler_free(&errhandler); /* ring keeps it */
  MADE_WINDOW(win, MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), info, comm, &win));
  for (int i = 0; i < most; ++i) {
    counts_n[i] = 1, displs_n[i] = i, bytes_n[i] = i * (turn + 1) * (int)sizeof(int), types[i] = type;
    spaces[i] = bytes_n[i];
#ifdef LARGE_COUNTS
    counts_c[i] = 1, displs_c[i] = i, bytes_c[i] = bytes_n[i];
#endif
  }
  for (int i = 0; i < 2; ++i) {
    IN(MPI_COMM_SELF, MPI_Send_init(out, 1, type, MPI_PROC_NULL, 0, MPI_COMM_SELF, &r[i]));
    COUNT_AGAIN(4, request, r[i]);
    MPI_Request_free(&r[i]);
  }
  COUNT_AGAIN(0, comm, comm);
  COUNT_AGAIN(1, type, type);
  COUNT_AGAIN(2, window, win);
  COUNT_AGAIN(3, group, group);
  MPI_Buffer_attach(attached, sizeof attached / 2);
}

static void release(void) {
  void* given;
  MPI_Buffer_detach(&given, &detached_n);
  ON(win, MPI_Win_free(&win));
  MPI_Group_free(&previous);
  MPI_Group_free(&next);
  MPI_Group_free(&group);
  MPI_Info_free(&info);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  IN(ring, MPI_Comm_free(&ring));
  IN(comm, MPI_Comm_free(&comm));
}
