// SPDX-License-Identifier: BSD-3-Clause
// Uses of memory that a page-protecting recorder must not break: messages on the stack, in freed and reused
// memory, with gaps; buffers of system calls, of collectives, of threads and of child processes; a handler of
// SIGSEGV. Checks all data; prints `right` from rank 0.
#include <fcntl.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int large = 1 << 17;  // doubles: above every eager limit
int rank = 0;

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

void exchange(const double* out, double* in, int count, MPI_Datatype type = MPI_DOUBLE) {
  MPI_Request requests[2];
  MPI_Irecv(in, count, type, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, count, type, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void on_the_stack(int round) {
  double out[600];
  double in[600];
  std::iota(out, out + 600, round + rank);
  exchange(out, in, 600);
  check(in[599] == 599 + round + 1 - rank, "stack");
}

void large_and_through_files(int round, const std::string& path) {
  static std::vector<double> out(large);
  static std::vector<double> in(large);
  std::iota(out.begin(), out.end(), round + rank);
  exchange(out.data(), in.data(), large);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  const auto bytes = static_cast<ssize_t>(large * sizeof(double));
  check(::write(file, in.data(), large * sizeof(double)) == bytes, "write");
  exchange(out.data(), in.data(), large);
  check(::pread(file, in.data(), large * sizeof(double), 0) == bytes, "pread");
  ::close(file);
  check(in[large - 1] == large - 1 + round + 1 - rank, "what came through a file");
  std::FILE* stream = std::fopen(path.c_str(), "rb");
  exchange(out.data(), in.data(), large);
  check(std::fread(in.data(), sizeof(double), large, stream) == large && in[1] == 1 + round + 1 - rank,
        "fread");
  std::fclose(stream);
}

void freed_and_given_out_again(int round) {
  for (int size = 1000; size < 100'000; size *= 3) {
    auto* out = static_cast<double*>(std::malloc(static_cast<std::size_t>(size) * sizeof(double)));
    auto* in = static_cast<double*>(std::calloc(static_cast<std::size_t>(size), sizeof(double)));
    for (int i = 0; i < size; ++i) out[i] = round;
    exchange(out, in, size);
    std::free(out);
    in = static_cast<double*>(std::realloc(in, static_cast<std::size_t>(4 * size) * sizeof(double)));
    check(in[size - 1] == round, "realloc");
    std::free(in);
  }
}

void with_gaps_and_collectives(int round, MPI_Datatype column) {
  static std::vector<double> field(512 * 512);
  static std::vector<double> sums(512 * 512);
  for (double& one : field) one = round;
  exchange(field.data(), field.data() + 511, 1, column);
  MPI_Allreduce(MPI_IN_PLACE, field.data(), 512 * 512, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(field.data(), sums.data(), 512 * 512, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check(sums[511] == 4 * round, "collectives");
  MPI_Sendrecv_replace(field.data(), 512 * 512, MPI_DOUBLE, 1 - rank, 2, 1 - rank, 2, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  double sum = 0;
  std::thread([&] { sum = std::accumulate(field.begin(), field.end(), 0.0); }).join();
  check(sum == 512.0 * 512 * 2 * round, "another thread");
}

void in_a_child() {
  static std::vector<double> out(large, 7);
  static std::vector<double> in(large);
  exchange(out.data(), in.data(), large);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(in[5] == 7 ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  check(status == 0, "a child");
}

[[noreturn]] void own_handler(int) { ::_exit(4); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::signal(SIGSEGV, own_handler);
  const std::string path = std::string(argv[1]) + "." + std::to_string(rank);
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(512, 1, 512, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  std::vector<double> persistent(large);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Send_init(persistent.data(), large, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Recv_init(persistent.data(), large, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &request);
  for (int round = 1; round <= 20; ++round) {
    on_the_stack(round);
    large_and_through_files(round, path);
    freed_and_given_out_again(round);
    with_gaps_and_collectives(round, column);
    if (rank == 0) persistent.assign(large, round);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(persistent[large / 2] == round, "persistent");
  }
  in_a_child();
  MPI_Request_free(&request);
  MPI_Type_free(&column);
  if (rank == 0) std::puts("right");
  MPI_Finalize();
  if (argc > 2) *static_cast<volatile int*>(nullptr) = 1;  // calls the program's own handler
  return 0;
}
