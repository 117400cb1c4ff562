/* SPDX-License-Identifier: BSD-3-Clause
   Connections between programs, and between the even and the odd ranks of one, each made and ended several times.
   The argument names the way: `spawn` or `port`. Rank 0 prints what came over them. */
#include <arpa/inet.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { turns = 3 };

/* A number from each side; the intercommunicator ends. */
static int exchanged(MPI_Comm between, int given) {
  int taken = 0, rank;
  MPI_Comm_rank(between, &rank);
  if (rank == 0) {
    MPI_Sendrecv(&given, 1, MPI_INT, 0, 1, &taken, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(between);
  MPI_Comm_disconnect(&between);
  return taken;
}

static int spawned(const char* program) {
  int sum = 0;
  char* commands[2] = {(char*)program, (char*)program};
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Comm children;
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    sum += exchanged(children, turn);
  }
  MPI_Comm children;
  MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, (int[]){1, 1}, (MPI_Info[]){MPI_INFO_NULL, MPI_INFO_NULL}, 0,
                          MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  return sum + exchanged(children, turns);
}

/* Some MPIs open no port over some networks. Then all ranks end in order: after the abort of one, mpiexec may wait for the
   others. */
static int by_port(MPI_Comm half, int accepts) {
  int sum = 0;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int turn = 0; turn < turns; ++turn) {
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm between;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && MPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS) port[0] = '\0';
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (port[0] == '\0') {
      if (rank == 0) printf("no port\n");
      return 0;
    }
    if (accepts) {
      MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between);
    } else {
      MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &between);
    }
    sum += exchanged(between, 10 * turn + accepts);
    if (rank == 0) MPI_Close_port(port);
  }
  return sum;
}

/* A TCP connection between ranks 0 and 1 of the world. */
static int socket_between(int rank) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof address;
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (rank == 0) {
    const int listening = descriptor;
    bind(listening, (struct sockaddr*)&address, length);
    listen(listening, 1);
    getsockname(listening, (struct sockaddr*)&address, &length);
    MPI_Send(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
    descriptor = accept(listening, NULL, NULL);
    close(listening);
  } else {
    MPI_Recv(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    connect(descriptor, (struct sockaddr*)&address, length);
  }
  return descriptor;
}

static int by_socket(int rank) {
  int sum = 0;
  for (int turn = 0; turn < turns && rank < 2; ++turn) {
    MPI_Comm between;
    const int descriptor = socket_between(rank);
    MPI_Comm_join(descriptor, &between);
    sum += exchanged(between, 100 * turn + rank);
    close(descriptor);
  }
  return sum;
}

int main(int argc, char** argv) {
  int rank, sum = 0;
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    exchanged(parent, 1000 + rank);
  } else if (strcmp(argv[1], "spawn") == 0) {
    sum = spawned(argv[0]);
  } else if (strcmp(argv[1], "port") == 0) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    sum = by_port(half, rank % 2 == 0);
    MPI_Comm_free(&half);
  } else {
    sum = by_socket(rank);
  }
  if (parent == MPI_COMM_NULL && rank == 0) printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
