// SPDX-License-Identifier: BSD-3-Clause
// Calls that have no partner, or that end otherwise than by returning, one case for each: a trace must tell
// them from those that moved a message.
// HAS_... are the calls that not every MPI has; the build checks for them. Usage: edge_cases.hpp.
#include <mpi.h>

#include <csetjmp>
#include <stdexcept>
#include <vector>

#include "edge_cases.hpp"

namespace {

using namespace edge_cases;

void fewer_ranks() {
  const int one[1] = {1}, no[1] = {0};
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, one, no, 0, &made);
  EXPECT((made == MPI_COMM_NULL) == (rank != 0));
  if (made != MPI_COMM_NULL) MPI_Barrier(made), MPI_Comm_free(&made);
  const int index[2] = {1, 2}, edges[2] = {1, 0};
  MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &made);
  if (made != MPI_COMM_NULL) MPI_Barrier(made), MPI_Comm_free(&made);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, 0, &made);
  if (made != MPI_COMM_NULL) MPI_Barrier(made), MPI_Comm_free(&made);
  MPI_Group all, first;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, no, &first);
  MPI_Comm_create(MPI_COMM_WORLD, first, &made);
  if (made != MPI_COMM_NULL) MPI_Barrier(made), MPI_Comm_free(&made);
  MPI_Group_free(&first), MPI_Group_free(&all);
}

void cancelled_and_freed() {
  int value = 0;
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, left(), 7, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Recv_init(&value, 1, MPI_INT, left(), 7, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Sendrecv(&rank, 1, MPI_INT, next(), 7, &value, 1, MPI_INT, left(), 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT(value == left());
}

#ifdef HAS_PERSISTENT_COLLECTIVES
void started_in_another_order() {
  int one = 1, two = 2, sum = 0;
  MPI_Request both[2];
  MPI_Bcast_init(&one, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
  MPI_Allreduce_init(&two, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Start(&both[rank % 2]);
    MPI_Start(&both[1 - rank % 2]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    EXPECT(sum == 2 * ranks);
  }
  MPI_Request_free(&both[0]), MPI_Request_free(&both[1]);
}
#endif

#ifdef HAS_ISENDRECV
void isendrecv_from_any() {
  int value = -1;
  MPI_Request request;
  MPI_Isendrecv(&rank, 1, MPI_INT, next(), 8, &value, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD,
                &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(value == left());
  value = rank;
  MPI_Isendrecv_replace(&value, 1, MPI_INT, next(), 9, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(value == left());
  MPI_Barrier(MPI_COMM_WORLD);
}

void isendrecv_of_less_than_the_buffer() {
  int values[100] = {-1};
  MPI_Request request;
  MPI_Isendrecv(&rank, 1, MPI_INT, next(), 8, values, 100, MPI_INT, left(), 8, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(values[0] == left());
}
#endif

void failed_messages() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (const MPI_Comm each : {comm, MPI_COMM_WORLD, MPI_COMM_SELF})
    MPI_Comm_set_errhandler(each, MPI_ERRORS_RETURN);
  std::vector<int> many(100'000, rank);
  int few[2] = {-1, -1};
  const auto size = static_cast<int>(many.size());
  EXPECT(MPI_Send(few, 1, MPI_INT, ranks + 5, 0, comm) != MPI_SUCCESS);
  EXPECT(MPI_Send(few, 1, MPI_INT, 0, -7, comm) != MPI_SUCCESS);
  EXPECT(MPI_Recv(few, -1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  MPI_Request request;
  MPI_Status status;
  EXPECT(MPI_Isend(few, 1, MPI_INT, ranks + 5, 0, comm, &request) != MPI_SUCCESS);
  for (int turn = 0; turn < 2; ++turn) {  // a short message, and a long one
    const int sent = turn == 0 ? 10 : size;
    if (rank == 0) {
      for (int message = 0; message < 4; ++message)
        MPI_Send(many.data(), sent, MPI_INT, 1, 10 + message, comm);
    } else if (rank == 1) {
      EXPECT(MPI_Recv(few, 2, MPI_INT, 0, 10, comm, &status) != MPI_SUCCESS);
      EXPECT(MPI_Recv(few, 2, MPI_INT, MPI_ANY_SOURCE, 11, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS);
      MPI_Irecv(few, 2, MPI_INT, MPI_ANY_SOURCE, 12, comm, &request);
      EXPECT(MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS);
      MPI_Irecv(few, 2, MPI_INT, 0, 13, comm, &request);
      EXPECT(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE) != MPI_SUCCESS);
    }
    MPI_Barrier(comm);
  }
  for (const MPI_Comm each : {MPI_COMM_WORLD, MPI_COMM_SELF})
    MPI_Comm_set_errhandler(each, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

std::jmp_buf before;
void jump(MPI_Comm*, int*, ...) { std::longjmp(before, 1); }
void raise(MPI_Comm*, int*, ...) { throw std::runtime_error("from the error handler"); }

MPI_Comm with_handler(MPI_Comm_errhandler_function* handler) {
  MPI_Comm comm;
  MPI_Errhandler made;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handler, &made);
  MPI_Comm_set_errhandler(comm, made);
  MPI_Errhandler_free(&made);
  return comm;
}

void thrown_out_of_a_handler() {
  MPI_Comm comm = with_handler(raise);
  for (int turn = 0; turn < 3; ++turn) {
    bool caught = false;
    try {
      MPI_Send(&rank, 1, MPI_INT, ranks + 5, 0, comm);
    } catch (const std::runtime_error&) {
      caught = true;
    }
    EXPECT(caught);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void jumped_out_of_a_handler() {
  MPI_Comm comm = with_handler(jump);
  for (volatile int turn = 0; turn < 3; ++turn) {
    volatile bool jumped = true;
    if (setjmp(before) == 0) {
      MPI_Send(&rank, 1, MPI_INT, ranks + 5, 0, comm);
      jumped = false;
    }
    EXPECT(jumped);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

const Cases cases = {
    {"fewer_ranks", fewer_ranks},
    {"cancelled_and_freed", cancelled_and_freed},
#ifdef HAS_PERSISTENT_COLLECTIVES
    {"started_in_another_order", started_in_another_order},
#endif
#ifdef HAS_ISENDRECV
    {"isendrecv_from_any", isendrecv_from_any},
    {"isendrecv_of_less_than_the_buffer", isendrecv_of_less_than_the_buffer},
#endif
    {"failed_messages", failed_messages},
    {"thrown_out_of_a_handler", thrown_out_of_a_handler},
    {"jumped_out_of_a_handler", jumped_out_of_a_handler},
};

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, cases); }
