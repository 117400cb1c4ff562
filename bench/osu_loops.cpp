// SPDX-License-Identifier: BSD-3-Clause
// Peers of the probes latency and bandwidth: loops as the OSU micro-benchmarks describe theirs. Ping-pong:
// blocking calls, one send and one receive buffer. Window: 64 nonblocking sends of one buffer into one
// buffer, then a short reply. They use no harness or transport of stretto, but write the same samples.
//
//   mpiexec -n 2 osu_loops SAMPLES.jsonl ROUNDS SIZE_BYTES...
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "bench_header.hpp"
#include "record/sample_file.hpp"

namespace {

using namespace stretto;

constexpr double shortest_sample_s = 1e-3;
constexpr int warm_up = 10;
constexpr int window = 64;
constexpr std::size_t page_bytes = 4096;

struct Free {
  void operator()(char* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<char[], Free>;

Buffer make_buffer(std::size_t size_bytes, char content) {
  const std::size_t whole = (size_bytes + page_bytes - 1) / page_bytes * page_bytes;
  Buffer buffer(static_cast<char*>(std::aligned_alloc(page_bytes, whole)));
  std::fill_n(buffer.get(), whole, content);
  return buffer;
}

struct Loop {
  int rank;
  int size_bytes;
  Buffer send = make_buffer(static_cast<std::size_t>(size_bytes), 'a');
  Buffer receive = make_buffer(static_cast<std::size_t>(size_bytes), 'b');
  std::vector<MPI_Request> requests = std::vector<MPI_Request>(window);

  double ping_pongs_s(int count) {
    const int other = 1 - rank;
    const double start_s = MPI_Wtime();
    for (int i = 0; i < count; ++i) {
      if (rank == 0) {
        MPI_Send(send.get(), size_bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD);
        MPI_Recv(receive.get(), size_bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(receive.get(), size_bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(send.get(), size_bytes, MPI_CHAR, other, 1, MPI_COMM_WORLD);
      }
    }
    return MPI_Wtime() - start_s;
  }

  double windows_s(int count) {
    constexpr int reply_bytes = 4;
    char reply[reply_bytes] = {};
    const double start_s = MPI_Wtime();
    for (int i = 0; i < count; ++i) {
      if (rank == 0) {
        for (MPI_Request& one : requests)
          MPI_Isend(send.get(), size_bytes, MPI_CHAR, 1, 100, MPI_COMM_WORLD, &one);
        MPI_Waitall(window, requests.data(), MPI_STATUSES_IGNORE);
        MPI_Recv(reply, reply_bytes, MPI_CHAR, 1, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        for (MPI_Request& one : requests)
          MPI_Irecv(receive.get(), size_bytes, MPI_CHAR, 0, 100, MPI_COMM_WORLD, &one);
        MPI_Waitall(window, requests.data(), MPI_STATUSES_IGNORE);
        MPI_Send(reply, reply_bytes, MPI_CHAR, 0, 101, MPI_COMM_WORLD);
      }
    }
    return MPI_Wtime() - start_s;
  }
};

using Timed = double (Loop::*)(int);

/// Times `rounds` repetitions of a loop; `messages` are in one turn of it.
void measure(record::SampleFile* file, Loop& loop, int index, std::string_view probe, Timed timed,
             int messages, int rounds) {
  const double once_s = (loop.*timed)(warm_up) / warm_up;
  int count = static_cast<int>(std::clamp(shortest_sample_s / std::max(once_s, 1e-9), 1.0, 1000.0));
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double time_s = (loop.*timed)(count);
    if (file == nullptr) continue;
    file->append(record::Sample{.probe = std::string{probe},
                                .case_index = index,
                                .quantity = "T_c",
                                .round = round,
                                .time_s = time_s,
                                .messages = std::int64_t{messages} * count,
                                .ranks = 2,
                                .axes = {{"transport", "mpi-two-sided"},
                                         {"operation", "send"},
                                         {"direction", "one-way"},
                                         {"buffers", "same"},
                                         {"size_bytes", std::int64_t{loop.size_bytes}}}});
  }
  if (file != nullptr) {
    file->append(record::CaseEnd{
        .probe = std::string{probe}, .case_index = index, .ended_by = "rounds", .rounds = rounds});
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4 || size != 2 || bench::number(argv[2]) < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: mpiexec -n 2 osu_loops SAMPLES.jsonl ROUNDS SIZE_BYTES...\n");
    MPI_Finalize();
    return 2;
  }
  const std::unique_ptr<record::SampleFile> file =
      rank == 0 ? std::make_unique<record::SampleFile>(argv[1]) : nullptr;
  const int sizes = argc - 3;
  const record::Header head = bench::header(argc, argv, 2 * sizes);
  if (file) file->append(head);
  const int rounds = bench::number(argv[2]);
  for (int i = 0; i < sizes; ++i) {
    Loop loop{.rank = rank, .size_bytes = bench::number(argv[3 + i])};
    measure(file.get(), loop, i, "latency", &Loop::ping_pongs_s, 1, rounds);
    measure(file.get(), loop, i, "bandwidth", &Loop::windows_s, window, rounds);
  }
  if (file) file->finish();
  MPI_Finalize();
  return 0;
}
