// SPDX-License-Identifier: BSD-3-Clause
// Calls that fail, receive less than they could, or end otherwise than by returning, one case for each: a
// trace must tell them from those that moved a message. Usage: PROGRAM NAME... on two or more ranks. Rank 0
// prints each name and whether all results are right.
#include <mpi.h>

#include <csetjmp>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int rank = 0;
int ranks = 0;
bool right = true;

void expect(bool holds, const char* what) {
  if (holds) return;
  right = false;
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
}
#define EXPECT(condition) expect(condition, #condition)

#ifdef HAS_ISENDRECV
void isendrecv_of_less_than_the_buffer() {
  const int next = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int values[100] = {-1};
  MPI_Request request;
  MPI_Isendrecv(&rank, 1, MPI_INT, next, 8, values, 100, MPI_INT, left, 8, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(values[0] == left);
}
#endif

/// More than a trace has numbers for; ranks have different numbers for the last ones.
void communicators_one_after_the_other() {
  MPI_Comm made = MPI_COMM_NULL, all = MPI_COMM_NULL, own = MPI_COMM_NULL;
  for (int turn = 0; turn < 70000 + 7 * rank; ++turn) {
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_free(&made);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  if (rank == 0) MPI_Comm_dup(MPI_COMM_SELF, &own);
  if (rank == 0) MPI_Barrier(own);
  MPI_Barrier(all);
  if (rank == 0) MPI_Comm_free(&own);
  MPI_Comm_free(&all);
}

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

/// HAS_ISENDRECV: not every MPI has it; the test checks.
const std::map<std::string, void (*)()> cases = {
#ifdef HAS_ISENDRECV
    {"isendrecv_of_less_than_the_buffer", isendrecv_of_less_than_the_buffer},
#endif
    {"communicators_one_after_the_other", communicators_one_after_the_other},
    {"failed_messages", failed_messages},
    {"thrown_out_of_a_handler", thrown_out_of_a_handler},
    {"jumped_out_of_a_handler", jumped_out_of_a_handler},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int word = 1; word < argc; ++word) {
    right = true;
    cases.at(argv[word])();
    int own = right ? 1 : 0, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%s %s\n", argv[word], all != 0 ? "right" : "wrong");
  }
  MPI_Finalize();
  return 0;
}
