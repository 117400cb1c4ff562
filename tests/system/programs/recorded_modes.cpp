// SPDX-License-Identifier: BSD-3-Clause
// Calls for test_recorded_calls.py on two ranks: every mode of sending, blocking, nonblocking and persistent,
// completed by every wait and test; every kind of window and synchronisation. Then the action that its
// argument names: `terminated`, `broken` (SIGSEGV), `forks`, `own` (a message by PMPI_Send).
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <iterator>
#include <vector>

namespace {

int rank = 0;
int other() { return 1 - rank; }

using Send = decltype(&MPI_Send);
using Isend = decltype(&MPI_Isend);
constexpr int modes = 4;
constexpr Send sends[] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
constexpr Isend isends[] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
constexpr Isend inits[] = {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};

void look_at(MPI_Request request) {
  for (int done = 0; done == 0;) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
}

void complete(int way, MPI_Request* requests) {
  int done = 0;
  int indices[2];
  switch (way) {
    case 0:
      look_at(requests[0]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      return;
    case 1:
      for (int left = 2; left > 0; left -= done)
        MPI_Waitsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
      return;
    case 2:
      for (int left = 2; left > 0; left -= done)
        MPI_Testsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
      return;
    default:
      for (MPI_Request* one : {requests, requests + 1}) {
        for (done = 0; done == 0;) MPI_Test(one, &done, MPI_STATUS_IGNORE);
      }
  }
}

void all_modes() {
  std::vector<char> buffer(1 << 16);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  const int out = rank;
  int in = 0;
  for (int mode = 0; mode < modes; ++mode) {
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, other(), mode, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);  // a ready send's receive is posted
    sends[mode](&out, 1, MPI_INT, other(), mode, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_INT, other(), mode, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    isends[mode](&out, 1, MPI_INT, other(), mode, MPI_COMM_WORLD, &requests[1]);
    complete(mode, requests);
    MPI_Recv_init(&in, 1, MPI_INT, other(), mode, MPI_COMM_WORLD, &requests[0]);
    inits[mode](&out, 1, MPI_INT, other(), mode, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(&requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
  void* given = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(&given, &bytes);
}

void use(MPI_Win window) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group neighbour = MPI_GROUP_NULL;
  const int peer = other();
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &peer, &neighbour);
  const long value = 1;
  long found = 0;
  MPI_Win_post(neighbour, 0, window);
  MPI_Win_start(neighbour, 0, window);
  MPI_Put(&value, 1, MPI_LONG, peer, 0, 1, MPI_LONG, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Win_lock_all(0, window);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Rget(&found, 1, MPI_LONG, peer, 0, 1, MPI_LONG, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Fetch_and_op(&value, &found, MPI_LONG, peer, 0, MPI_SUM, window);
  MPI_Win_flush(peer, window);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Group_free(&neighbour);
  MPI_Group_free(&world);
}

void all_windows() {
  static long memory[8];
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  use(window);
#if !defined(OPEN_MPI) && MPI_VERSION >= 4  // Open MPI 5 has no large counts
  MPI_Win_create_c(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  use(window);
  long* given = nullptr;
  MPI_Win_allocate_c(sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &given, &window);
  use(window);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto asked = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  all_modes();
  all_windows();
  if (asked("terminated") && rank == 0) (void)std::raise(SIGTERM);
  if (asked("broken") && rank == 0) *static_cast<volatile int*>(nullptr) = 1;
  if (asked("forks")) {
    const pid_t child = ::fork();
    if (child == 0) {
      int initialised = 0;
      MPI_Initialized(&initialised);
      ::_exit(initialised != 0 ? 0 : 1);
    }
    ::waitpid(child, nullptr, 0);
  }
  int token = rank;
  if (asked("own") && rank == 0) PMPI_Send(&token, 1, MPI_INT, 1, 90, MPI_COMM_WORLD);
  if (asked("own") && rank == 1) MPI_Recv(&token, 1, MPI_INT, 0, 90, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(&token, 1, MPI_INT, other(), 91, other(), 91, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
