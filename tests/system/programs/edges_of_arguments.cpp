// SPDX-License-Identifier: BSD-3-Clause
// Arguments that MPI ignores or that are null, one case for each, for a recorder that must look only at what
// MPI reads.
// HAS_... are the calls that not every MPI has; the build checks for them. Usage: edge_cases.hpp.
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "edge_cases.hpp"

namespace {

using namespace edge_cases;
void* const garbage = reinterpret_cast<void*>(std::uintptr_t{0x5A5A5A5A5A58});
constexpr int bad_count = 0x5A5A5A5A;
const MPI_Datatype no_type = MPI_DATATYPE_NULL;

void zero_counts() {
  MPI_Status status;
  if (rank == 0) MPI_Send(nullptr, 0, no_type, 1, 1, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(nullptr, 0, no_type, 0, 1, MPI_COMM_WORLD, &status);
  MPI_Bcast(nullptr, 0, no_type, 0, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Irecv(nullptr, 0, no_type, left(), 2, MPI_COMM_WORLD, &request);
  MPI_Send(nullptr, 0, no_type, next(), 2, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(nullptr, 0, no_type, left(), 3, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  int cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT(cancelled != 0);
}

void zero_persistent() {
  MPI_Request both[2];
  MPI_Recv_init(nullptr, 0, no_type, left(), 4, MPI_COMM_WORLD, &both[0]);
  MPI_Send_init(nullptr, 0, no_type, next(), 4, MPI_COMM_WORLD, &both[1]);
  for (int turn = 0; turn < 2; ++turn) {
    MPI_Startall(2, both);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}

#ifdef HAS_PARTITIONED
void zero_partitioned() {
  MPI_Request both[2];
  MPI_Precv_init(nullptr, 1, 0, no_type, left(), 5, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
  MPI_Psend_init(nullptr, 1, 0, no_type, next(), 5, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
  MPI_Startall(2, both);
  MPI_Pready(0, both[1]);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  MPI_Request_free(&both[0]);
  MPI_Request_free(&both[1]);
}
#endif

void alltoallw_null_types() {
  std::vector<int> in(ranks, rank), out(ranks, -1), counts(ranks, 0), places(ranks, bad_count);
  std::vector<MPI_Datatype> types(ranks, no_type);
  counts[rank] = 1, places[rank] = 4 * rank, types[rank] = MPI_INT;
  MPI_Alltoallw(in.data(), counts.data(), places.data(), types.data(), out.data(), counts.data(),
                places.data(), types.data(), MPI_COMM_WORLD);
  EXPECT(out[rank] == rank);
  MPI_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, out.data(), counts.data(), places.data(),
                types.data(), MPI_COMM_WORLD);
  EXPECT(out[rank] == rank);
}

/// Two groups: the even and the odd ranks.
MPI_Comm two_groups() {
  MPI_Comm own, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - rank % 2, 6, &both);
  MPI_Comm_free(&own);
  return both;
}

#ifdef HAS_PERSISTENT_COLLECTIVES
int start_and_wait(MPI_Request request) {
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return MPI_Request_free(&request);
}
#endif

/// The root is rank 0 of the odd ranks; local rank 0 of the even ones has the number that they name as root.
void rooted_between_groups() {
  MPI_Comm both = two_groups();
  int remote = 0, own = 0;
  MPI_Comm_remote_size(both, &remote);
  MPI_Comm_rank(both, &own);
  const bool odd = rank % 2 == 1;
  const int root = !odd ? 0 : own == 0 ? MPI_ROOT : MPI_PROC_NULL;
  const bool is_root = root == MPI_ROOT;
  const bool idle = root == MPI_PROC_NULL;
  int value = rank;
  std::vector<int> all(ranks, -1), counts(ranks, 1), places(ranks);
  for (int i = 0; i < ranks; ++i) places[i] = i;
  void* send = odd ? garbage : &value;
  const int send_count = odd ? bad_count : 1;
  const MPI_Datatype send_type = odd ? no_type : MPI_INT;
  void* receive = is_root ? all.data() : garbage;
  int* of_root = is_root ? counts.data() : static_cast<int*>(garbage);
  int* at_root = is_root ? places.data() : static_cast<int*>(garbage);
  const MPI_Datatype root_type = is_root ? MPI_INT : no_type;
  MPI_Request request;
  const auto gathered = [&] {
    for (int i = 0; is_root && i < remote; ++i) EXPECT(all[i] == 2 * i);
    if (is_root) all.assign(ranks, -1);
  };
  MPI_Gather(send, send_count, send_type, receive, is_root ? 1 : bad_count, root_type, root, both);
  gathered();
  MPI_Gatherv(send, send_count, send_type, receive, of_root, at_root, root_type, root, both);
  gathered();
  MPI_Igatherv(send, send_count, send_type, receive, of_root, at_root, root_type, root, both, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  gathered();
#ifdef HAS_PERSISTENT_COLLECTIVES
  MPI_Gatherv_init(send, send_count, send_type, receive, of_root, at_root, root_type, root, both,
                   MPI_INFO_NULL, &request);
  start_and_wait(request);
  gathered();
#endif

  for (int i = 0; i < ranks; ++i) all[i] = 100 + i;
  void* from_root = is_root ? all.data() : garbage;
  value = -1;
  void* into = odd ? garbage : &value;
  const auto scattered = [&] {
    EXPECT(odd || value == 100 + own);
    value = -1;
  };
  MPI_Scatter(from_root, is_root ? 1 : bad_count, root_type, into, send_count, send_type, root, both);
  scattered();
  MPI_Scatterv(from_root, of_root, at_root, root_type, into, send_count, send_type, root, both);
  scattered();
  MPI_Iscatterv(from_root, of_root, at_root, root_type, into, send_count, send_type, root, both, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  scattered();
#ifdef HAS_PERSISTENT_COLLECTIVES
  MPI_Scatterv_init(from_root, of_root, at_root, root_type, into, send_count, send_type, root, both,
                    MPI_INFO_NULL, &request);
  start_and_wait(request);
  scattered();
#endif

  int sum = is_root ? 0 : rank;
  MPI_Bcast(idle ? garbage : &sum, 1, MPI_INT, root, both);
  value = 1;
  int total = 0;
  MPI_Reduce(odd ? garbage : &value, is_root ? &total : garbage, 1, MPI_INT, MPI_SUM, root, both);
  EXPECT(!is_root || total == remote);
  MPI_Comm_free(&both);
}

void scattered_sums_between_groups() {
  MPI_Comm both = two_groups();
  int own = 0;
  MPI_Comm_size(both, &own);
  std::vector<int> counts(own, 2), in(2 * ranks, 1), out(2, 0);
  int remote = 0;
  MPI_Comm_remote_size(both, &remote);
  if (own == remote) {
    MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, both);
    EXPECT(out[0] == remote);
  }
  MPI_Comm_free(&both);
}

/// Arguments that are not read on this rank, or that MPI_IN_PLACE replaces.
void ignored_arguments() {
  std::vector<int> all(ranks, rank), counts(ranks, 1), places(ranks);
  for (int i = 0; i < ranks; ++i) places[i] = i;
  int value = rank;
  const bool root = rank == 1;
  void* const nothing = root ? MPI_IN_PLACE : garbage;
  int* const none = static_cast<int*>(garbage);
  MPI_Gather(root ? MPI_IN_PLACE : &value, root ? bad_count : 1, root ? no_type : MPI_INT,
             root ? all.data() : garbage, root ? 1 : bad_count, root ? MPI_INT : no_type, 1, MPI_COMM_WORLD);
  MPI_Gatherv(root ? MPI_IN_PLACE : &value, root ? bad_count : 1, root ? no_type : MPI_INT,
              root ? all.data() : garbage, root ? counts.data() : none, root ? places.data() : none,
              root ? MPI_INT : no_type, 1, MPI_COMM_WORLD);
  for (int i = 0; root && i < ranks; ++i) EXPECT(all[i] == i);
  MPI_Scatter(root ? all.data() : garbage, root ? 1 : bad_count, root ? MPI_INT : no_type,
              root ? nothing : &value, root ? bad_count : 1, root ? no_type : MPI_INT, 1, MPI_COMM_WORLD);
  EXPECT(value == rank);
  int sum = 1;
  MPI_Reduce(root ? MPI_IN_PLACE : &sum, root ? &sum : MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  EXPECT(!root || sum == ranks);
  all.assign(ranks, rank);
  MPI_Allgather(MPI_IN_PLACE, bad_count, no_type, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, bad_count, no_type, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(MPI_IN_PLACE, none, none, no_type, all.data(), counts.data(), places.data(), MPI_INT,
                MPI_COMM_WORLD);
}

void fetched_without_operands() {
  int base = rank, fetched = -1;
  MPI_Win window;
  MPI_Win_create(&base, sizeof base, sizeof base, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Get_accumulate(garbage, bad_count, no_type, &fetched, 1, MPI_INT, next(), 0, 1, MPI_INT, MPI_NO_OP,
                     window);
  MPI_Win_fence(0, window);
  EXPECT(fetched == next());
  MPI_Put(nullptr, 0, MPI_INT, next(), 0, 0, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

void null_handles() {
  MPI_Request none = MPI_REQUEST_NULL;
  int flag = 0, index = 0;
  MPI_Wait(&none, MPI_STATUS_IGNORE);
  MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
  MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE);
  MPI_Waitany(1, &none, &index, MPI_STATUS_IGNORE);
  EXPECT(flag == 1 && index == MPI_UNDEFINED);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm no_comm = MPI_COMM_NULL;
  MPI_Win no_window = MPI_WIN_NULL;
  EXPECT(MPI_Comm_free(&no_comm) != MPI_SUCCESS);
  EXPECT(MPI_Win_free(&no_window) != MPI_SUCCESS);
  EXPECT(MPI_Request_free(&none) != MPI_SUCCESS);
  EXPECT(MPI_Barrier(no_comm) != MPI_SUCCESS);
#ifndef OPEN_MPI
  EXPECT(MPI_Wait(nullptr, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  EXPECT(MPI_Comm_free(nullptr) != MPI_SUCCESS);
#endif
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

const Cases cases = {
    {"zero_counts", zero_counts},
    {"zero_persistent", zero_persistent},
#ifdef HAS_PARTITIONED
    {"zero_partitioned", zero_partitioned},
#endif
    {"alltoallw_null_types", alltoallw_null_types},
    {"rooted_between_groups", rooted_between_groups},
    {"scattered_sums_between_groups", scattered_sums_between_groups},
    {"ignored_arguments", ignored_arguments},
    {"fetched_without_operands", fetched_without_operands},
    {"null_handles", null_handles},
};

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, cases); }
