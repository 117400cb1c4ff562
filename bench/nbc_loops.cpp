// SPDX-License-Identifier: BSD-3-Clause
// Peers of the probe nbc: the overlap of nonblocking collectives as the Intel MPI Benchmarks (IMB-NBC) and
// the OSU micro-benchmarks describe theirs. Both time the call with its wait, then the call, computation as
// long as that, and the wait. IMB repeats a calibrated amount of computation and takes the rank with the
// longest time; OSU computes until so much time has passed, and takes the means of the ranks.
//
//   mpiexec -n P nbc_loops REPEATS SIZE_BYTES...      one JSON line per operation, size and benchmark
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace {

using Start = std::function<void(MPI_Request*)>;

constexpr int warm_up = 5;

/// Buffers for P blocks of the largest size, and the operations on them.
struct Operations {
  int ranks;
  std::vector<double> send;
  std::vector<double> receive;
  std::vector<int> counts;

  explicit Operations(int size, std::size_t largest_bytes)
      : ranks(size),
        send(largest_bytes / sizeof(double) * static_cast<std::size_t>(size) + 1, 1.0),
        receive(send.size()),
        counts(static_cast<std::size_t>(size)) {}

  std::vector<std::pair<std::string, Start>> of(int bytes) {
    const int numbers = bytes / static_cast<int>(sizeof(double));
    std::fill(counts.begin(), counts.end(), numbers);
    const MPI_Comm all = MPI_COMM_WORLD;
    return {
        {"broadcast", [=, this](MPI_Request* r) { MPI_Ibcast(receive.data(), bytes, MPI_BYTE, 0, all, r); }},
        {"allreduce",
         [=, this](MPI_Request* r) {
           MPI_Iallreduce(send.data(), receive.data(), numbers, MPI_DOUBLE, MPI_SUM, all, r);
         }},
        {"alltoall",
         [=, this](MPI_Request* r) {
           MPI_Ialltoall(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, all, r);
         }},
        {"allgather",
         [=, this](MPI_Request* r) {
           MPI_Iallgather(send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE, all, r);
         }},
        {"reduce-scatter", [=, this](MPI_Request* r) {
           MPI_Ireduce_scatter(send.data(), receive.data(), counts.data(), MPI_DOUBLE, MPI_SUM, all, r);
         }}};
  }
};

/// A product of a small matrix and a vector, which stays in the registers and the first cache.
void compute_once() {
  constexpr int order = 10;
  static volatile float sink;
  static float matrix[order][order];
  static float in[order];
  float out[order] = {};
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j < order; ++j) out[i] += matrix[i][j] * in[j];
  }
  sink = out[order - 1];
  in[0] = sink;
}

void compute_times(long repeats) {
  for (long i = 0; i < repeats; ++i) compute_once();
}

void compute_until(double duration_s) {
  const double start_s = MPI_Wtime();
  while (MPI_Wtime() - start_s < duration_s) compute_times(10);
}

double seconds_per_repeat() {
  constexpr long repeats = 1'000'000;
  compute_times(repeats / 10);
  const double start_s = MPI_Wtime();
  compute_times(repeats);
  return (MPI_Wtime() - start_s) / static_cast<double>(repeats);
}

struct Times {
  double pure_s = 0;
  double all_s = 0;
  double compute_s = 0;
};

/// Mean times of this rank; an empty `compute` times the call alone.
Times mean_times(const Start& start, int repeats, const std::function<void()>& compute) {
  Times sum;
  for (int i = -warm_up; i < repeats; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request request = MPI_REQUEST_NULL;
    const double begin_s = MPI_Wtime();
    start(&request);
    const double computing_s = MPI_Wtime();
    if (compute) compute();
    const double computed_s = MPI_Wtime();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (i < 0) continue;
    sum.all_s += MPI_Wtime() - begin_s;
    sum.compute_s += computed_s - computing_s;
  }
  return {.all_s = sum.all_s / repeats, .compute_s = sum.compute_s / repeats};
}

/// The rank with the longest time, as IMB reports it.
Times longest(const Times& mine, int rank) {
  struct {
    double value;
    int rank;
  } own{mine.all_s, rank}, last{};
  MPI_Allreduce(&own, &last, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  double values[3] = {mine.pure_s, mine.all_s, mine.compute_s};
  MPI_Bcast(values, 3, MPI_DOUBLE, last.rank, MPI_COMM_WORLD);
  return {values[0], values[1], values[2]};
}

/// The means of all ranks, as OSU reports them.
Times means(const Times& mine, int size) {
  double values[3] = {mine.pure_s, mine.all_s, mine.compute_s};
  MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return {values[0] / size, values[1] / size, values[2] / size};
}

void print(const char* benchmark, const std::string& operation, int bytes, const Times& times,
           double overlap) {
  std::printf(
      "{\"benchmark\": \"%s\", \"operation\": \"%s\", \"size_bytes\": %d, \"pure_s\": %.9g, "
      "\"all_s\": %.9g, \"compute_s\": %.9g, \"overlap\": %.6g}\n",
      benchmark, operation.c_str(), bytes, times.pure_s, times.all_s, times.compute_s, overlap);
}

void measure(const std::string& operation, const Start& start, int bytes, int repeats, double repeat_s,
             int rank, int size) {
  const double pure_s = mean_times(start, repeats, {}).all_s;
  const long amount = std::max(1L, static_cast<long>(pure_s / repeat_s));
  Times counted = mean_times(start, repeats, [amount] { compute_times(amount); });
  counted.pure_s = pure_s;
  Times timed = mean_times(start, repeats, [pure_s] { compute_until(pure_s); });
  timed.pure_s = pure_s;
  const Times imb = longest(counted, rank);
  const Times osu = means(timed, size);
  if (rank != 0) return;
  const double hidden_s = imb.pure_s + imb.compute_s - imb.all_s;
  print("imb", operation, bytes, imb, std::clamp(hidden_s / std::max(imb.pure_s, imb.compute_s), 0.0, 1.0));
  print("osu", operation, bytes, osu, std::max(0.0, 1 - (osu.all_s - osu.compute_s) / osu.pure_s));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3 || stretto::bench::number(argv[1]) < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: mpiexec -n P nbc_loops REPEATS SIZE_BYTES...\n");
    MPI_Finalize();
    return 2;
  }
  int largest = 0;
  for (int i = 2; i < argc; ++i) largest = std::max(largest, stretto::bench::number(argv[i]));
  Operations operations(size, static_cast<std::size_t>(largest));
  const double repeat_s = seconds_per_repeat();
  for (int i = 2; i < argc; ++i) {
    const int bytes = stretto::bench::number(argv[i]);
    for (const auto& [name, start] : operations.of(bytes)) {
      measure(name, start, bytes, stretto::bench::number(argv[1]), repeat_s, rank, size);
    }
  }
  MPI_Finalize();
  return 0;
}
