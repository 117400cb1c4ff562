/* SPDX-License-Identifier: BSD-3-Clause
   Receives that are too short, so that the call which waits for them fails, each followed by a receive that
   succeeds; then pairs of which one fails. An MPI that frees the failed request gives its handle to the next one. */
#include <mpi.h>
#include <stdio.h>

static int wait_by(int way, MPI_Request* request) {
  int done = 0, error = MPI_SUCCESS, index;
  MPI_Status status;
  switch (way) {
    case 0:
      return MPI_Wait(request, &status);
    case 1:
      return MPI_Waitall(1, request, &status);
    case 2:
      return MPI_Waitany(1, request, &index, &status);
    case 3:
      return MPI_Waitsome(1, request, &done, &index, &status);
    default:
      while (!done && error == MPI_SUCCESS) {
        error = way == 4 ? MPI_Test(request, &done, &status) : MPI_Testall(1, request, &done, &status);
      }
      return error;
  }
}

/* Of two receives the first is too short. Whether a call says so. */
static int wait_for_both(int way, MPI_Request* requests) {
  int done = 0, count, indices[2], error = MPI_SUCCESS, failed = 0;
  MPI_Status statuses[2];
  while (requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL) {
    if (way == 0) error = MPI_Waitall(2, requests, statuses);
    if (way == 1) error = MPI_Testall(2, requests, &done, statuses);
    if (way == 2) error = MPI_Waitsome(2, requests, &count, indices, statuses);
    if (way == 3) error = MPI_Testsome(2, requests, &count, indices, statuses);
    failed += error != MPI_SUCCESS;
  }
  return failed > 0;
}

int main(int argc, char** argv) {
  int out[2] = {1, 2}, in = 0, failed = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int way = 0; way < 6; ++way) {
    for (int length = 2; length > 0; --length) {
      MPI_Request request;
      MPI_Irecv(&in, 1, MPI_INT, 0, length, MPI_COMM_SELF, &request);
      MPI_Send(out, length, MPI_INT, 0, length, MPI_COMM_SELF);
      failed += wait_by(way, &request) != MPI_SUCCESS;
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  }
  for (int way = 0; way < 4; ++way) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&in, 1, MPI_INT, 0, 3 + i, MPI_COMM_SELF, &requests[i]);
    for (int i = 0; i < 2; ++i) MPI_Send(out, 2 - i, MPI_INT, 0, 3 + i, MPI_COMM_SELF);
    failed += wait_for_both(way, requests);
  }
  printf("%d failed\n", failed);
  MPI_Finalize();
  return 0;
}
