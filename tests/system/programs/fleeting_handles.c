/* SPDX-License-Identifier: BSD-3-Clause
   Communicators that no recorded call made, freed before or after they are used, and handles that are reused.
   `spawned` starts itself once more; `fails` ends with 7 after MPI_Finalize; with `dies` rank 1 is killed while
   rank 0 waits for it. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void of_a_session(void) {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  for (int used = 0; used < 2; ++used) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_create_from_group(group, "test.stretto", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
    if (used) MPI_Barrier(made);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}

static void reused(void) {
  for (int turn = 0; turn < 4; ++turn) {
    MPI_Comm later = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (turn % 2) MPI_Barrier(later);
    MPI_Comm_free(&later);
  }
}

int main(int argc, char** argv) {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Comm_disconnect(&parent);
  } else {
    of_a_session();
    reused();
    if (argc > 1 && strcmp(argv[1], "spawned") == 0) {
      MPI_Comm children = MPI_COMM_NULL;
      MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                     MPI_ERRCODES_IGNORE);
      MPI_Comm_disconnect(&children);
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "dies") == 0 && rank == 1) {
      MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
      sleep(1); /* rank 0 gets into its receive */
      raise(SIGKILL);
    } else if (argc > 1 && strcmp(argv[1], "dies") == 0) {
      MPI_Recv(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("right"); /* two ranks' lines may mix */
  }
  MPI_Finalize();
  return argc > 1 && strcmp(argv[1], "fails") == 0 ? 7 : 0;
}
