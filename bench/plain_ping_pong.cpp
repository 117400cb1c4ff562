// SPDX-License-Identifier: BSD-3-Clause
// A plain ping-pong of blocking calls in a loop between two readings of MPI's clock, which progress.py times
// with and without a library. It uses no harness or transport of stretto, but writes the same samples.
//
//   mpiexec -n 2 plain_ping_pong SAMPLES.jsonl ROUNDS SIZE_BYTES...
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "arguments.hpp"
#include "bench_header.hpp"
#include "record/sample_file.hpp"

namespace {

using namespace stretto;

constexpr double shortest_sample_s = 100e-6;  // equal to that of the latency probe
constexpr int warm_up = 20;

double ping_pongs_s(std::vector<char>& buffer, int rank, int count) {
  const int other = 1 - rank;
  const int size = static_cast<int>(buffer.size());
  const double start_s = MPI_Wtime();
  for (int i = 0; i < count; ++i) {
    if (rank == 0) {
      MPI_Send(buffer.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
      MPI_Recv(buffer.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    }
  }
  return MPI_Wtime() - start_s;
}

record::Sample sample(int index, int round, std::int64_t size_bytes, int count, double time_s) {
  return {.probe = "latency",
          .case_index = index,
          .quantity = "T_c",
          .round = round,
          .time_s = time_s,
          .messages = count,
          .ranks = 2,
          .axes = {{"transport", "mpi-two-sided"}, {"operation", "send"}, {"size_bytes", size_bytes}}};
}

void measure(record::SampleFile* file, int index, int rank, int rounds, std::int64_t size_bytes) {
  std::vector<char> buffer(static_cast<std::size_t>(size_bytes));
  const double once_s = ping_pongs_s(buffer, rank, warm_up) / warm_up;
  int count = static_cast<int>(std::clamp(shortest_sample_s / std::max(once_s, 1e-9), 1.0, 1000.0));
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double time_s = ping_pongs_s(buffer, rank, count);
    if (file != nullptr) file->append(sample(index, round, size_bytes, count, time_s));
  }
  if (file != nullptr) {
    file->append(
        record::CaseEnd{.probe = "latency", .case_index = index, .ended_by = "rounds", .rounds = rounds});
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
    if (rank == 0)
      std::fprintf(stderr, "usage: mpiexec -n 2 plain_ping_pong SAMPLES.jsonl ROUNDS SIZE_BYTES...\n");
    MPI_Finalize();
    return 2;
  }
  const std::unique_ptr<record::SampleFile> file =
      rank == 0 ? std::make_unique<record::SampleFile>(argv[1]) : nullptr;
  const record::Header head = bench::header(argc, argv, argc - 3);
  if (file) file->append(head);
  for (int i = 3; i < argc; ++i)
    measure(file.get(), i - 3, rank, bench::number(argv[2]), bench::number(argv[i]));
  if (file) file->finish();
  MPI_Finalize();
  return 0;
}
