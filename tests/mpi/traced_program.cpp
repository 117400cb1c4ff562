// SPDX-License-Identifier: BSD-3-Clause
// What tests/system/test_trace.py records: every kind of call that the recorder knows, in a fixed order, so
// that the test knows what the trace must hold. `abort` as argument: rank 0 ends with MPI_Abort, `kill`: by a
// signal.
#include <mpi.h>

#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

namespace {

int rank = 0;
int ranks = 1;
int right() { return (rank + 1) % ranks; }
int left() { return (rank + ranks - 1) % ranks; }

void point_to_point(MPI_Comm comm) {
  std::vector<double> out(100);
  std::vector<double> in(100);
  MPI_Request requests[3];
  MPI_Irecv(in.data(), 100, MPI_DOUBLE, MPI_ANY_SOURCE, 7, comm, &requests[0]);
  MPI_Isend(out.data(), 100, MPI_DOUBLE, right(), 7, comm, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out.data(), 10, MPI_DOUBLE, right(), 8, in.data(), 100, MPI_DOUBLE, left(), MPI_ANY_TAG, comm,
               MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(out.data(), 1, MPI_DOUBLE, right(), 9, comm);
  if (rank == 1) MPI_Recv(in.data(), 1, MPI_DOUBLE, left(), 9, comm, MPI_STATUS_IGNORE);
  MPI_Send(out.data(), 1, MPI_DOUBLE, MPI_PROC_NULL, 9, comm);
}

void persistent() {
  int out = rank;
  int in = 0;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, left(), 11, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, right(), 11, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < 2; ++round) {
    MPI_Startall(2, requests);
    for (int done = 0; done < 2; ++done) {
      int index = 0;
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    }
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

/// Receives in another order than matched, and receives from any source.
void matched() {
  const std::vector<double> out(6);
  std::vector<double> in(6);
  MPI_Request sends[3];
  for (int i = 0; i < 3; ++i) {
    MPI_Issend(out.data(), i + 1, MPI_DOUBLE, right(), i < 2 ? 31 : 32, MPI_COMM_WORLD, &sends[i]);
  }
  MPI_Message messages[2];
  for (MPI_Message& one : messages) MPI_Mprobe(left(), 31, MPI_COMM_WORLD, &one, MPI_STATUS_IGNORE);
  for (const int i : {1, 0}) MPI_Mrecv(in.data(), 6, MPI_DOUBLE, &messages[i], MPI_STATUS_IGNORE);
  MPI_Message any = MPI_MESSAGE_NULL;
  for (int found = 0; found == 0;) {
    MPI_Improbe(MPI_ANY_SOURCE, 32, MPI_COMM_WORLD, &found, &any, MPI_STATUS_IGNORE);
  }
  MPI_Request receives[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Imrecv(in.data(), 6, MPI_DOUBLE, &any, &receives[1]);
  for (int index = 0, found = 0; found == 0;) {
    MPI_Testany(2, receives, &index, &found, MPI_STATUS_IGNORE);
  }
  for (int left_over = 3; left_over > 0;) {
    int done = 0;
    int indices[3];
    MPI_Waitsome(3, sends, &done, indices, MPI_STATUSES_IGNORE);
    left_over -= done;
  }
  MPI_Mprobe(MPI_PROC_NULL, 31, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
  MPI_Mrecv(in.data(), 6, MPI_DOUBLE, &any, MPI_STATUS_IGNORE);
}

/// Of two receives that are the same the first is cancelled, so that the message comes to the other.
void cancelled() {
  int out = rank;
  int in[2];
  MPI_Request requests[3];
  for (int i = 0; i < 2; ++i) MPI_Irecv(&in[i], 1, MPI_INT, left(), 33, MPI_COMM_WORLD, &requests[i]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  // The right rank sends this after it has cancelled.
  MPI_Sendrecv_replace(&out, 1, MPI_INT, left(), 34, right(), 34, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Issend(&out, 1, MPI_INT, right(), 33, MPI_COMM_WORLD, &requests[2]);
  for (int done = 0; done == 0;) MPI_Testall(2, &requests[1], &done, MPI_STATUSES_IGNORE);
}

void between_groups() {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 41, &both);
  int token = rank;
  if (rank < 2) {  // the first of each group
    MPI_Sendrecv_replace(&token, 1, MPI_INT, 0, 42, 0, 42, both, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

void neighbours() {
  const int periodic = 1;
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  int from[2];
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, from, 1, MPI_INT, ring);
  MPI_Comm_free(&ring);
}

void collectives() {
  int one = 1;
  int sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  std::vector<int> all(static_cast<std::size_t>(ranks));
  // What is not significant may be anything.
  MPI_Gather(&one, 1, MPI_INT, rank == 0 ? all.data() : nullptr, 1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL,
             0, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> arriving(all.size());
  MPI_Alltoall(all.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
  // Twice the same: to the next rank as many numbers as it has, to no other any.
  std::vector<int> sent(all.size(), 0);
  std::vector<int> received(all.size(), 0);
  const std::vector<int> places(all.size(), 0);
  sent[static_cast<std::size_t>(right())] = right() + 1;
  received[static_cast<std::size_t>(left())] = rank + 1;
  for (int i = 0; i < 2; ++i) {
    MPI_Alltoallv(all.data(), sent.data(), places.data(), MPI_INT, arriving.data(), received.data(),
                  places.data(), MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Scatter(rank == 0 ? all.data() : nullptr, 1, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, &one, 1, MPI_INT,
              0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

void communicators() {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Barrier(half);
  MPI_Comm_free(&half);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  point_to_point(copy);
  MPI_Comm_free(&copy);
}

void one_sided() {
  long* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(80, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock_all(0, window);
  const long value = rank;
  MPI_Put(&value, 1, MPI_LONG, right(), 1, 1, MPI_LONG, window);
  MPI_Win_flush(right(), window);
  MPI_Win_unlock_all(window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

#if MPI_VERSION >= 4
void partitioned() {
  std::vector<double> out(8);
  std::vector<double> in(8);
  MPI_Request requests[2];
  MPI_Precv_init(in.data(), 2, 4, MPI_DOUBLE, left(), 13, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(out.data(), 2, 4, MPI_DOUBLE, right(), 13, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Pready_range(0, 1, requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}
#endif

void of_a_thread() {
  int token = rank;
  MPI_Sendrecv_replace(&token, 1, MPI_INT, right(), 21, left(), 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  point_to_point(MPI_COMM_WORLD);
  persistent();
  matched();
  cancelled();
  collectives();
  communicators();
  between_groups();
  neighbours();
  one_sided();
#if MPI_VERSION >= 4
  partitioned();
#endif
  if (level == MPI_THREAD_MULTIPLE) std::thread(of_a_thread).join();
  if (argc > 1 && rank == 0 && std::strcmp(argv[1], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 7);
  if (argc > 1 && rank == 0 && std::strcmp(argv[1], "kill") == 0) (void)std::raise(SIGKILL);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
