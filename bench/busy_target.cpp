// SPDX-License-Identifier: BSD-3-Clause
// The use of a progress thread, and its cost when idle: 8-byte gets from a rank that computes for 400 ms at a
// time and makes no call, with and without the thread; and the computation alone, with and without it.
//
//   mpiexec -n 2 busy_target SAMPLES.jsonl ROUNDS
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <vector>

#include "bench_header.hpp"
#include "measure/clock.hpp"
#include "measure/work.hpp"
#include "record/sample_file.hpp"

namespace {

using namespace stretto;

constexpr double stretch_s = 0.4;
constexpr int gets_a_stretch = 40;

/// Count of computation that takes `stretch_s` where nothing disturbs it, the same on both ranks.
std::uint64_t count_for_stretch(measure::Worker& worker) {
  std::uint64_t count = 1 << 16;
  double shortest_s = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin_s = measure::monotonic_s();
    worker.work(measure::WorkKind::registers, count);
    shortest_s = std::min(shortest_s, measure::monotonic_s() - begin_s);
  }
  count = static_cast<std::uint64_t>(static_cast<double>(count) * stretch_s / shortest_s);
  MPI_Bcast(&count, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return count;
}

class Bench {
 public:
  Bench(record::SampleFile* file, int rank) : file_(file), rank_(rank), work_(count_for_stretch(worker_)) {}

  /// Rank 0 gets at random moments of rank 1's computation; then rank 1 computes with an idle runtime.
  void round(int number, Progress progress) {
    Runtime runtime(MPI_COMM_WORLD, {.progress = progress, .path = Path::message});
    Region region(runtime, 8);
    get_from_busy(runtime, region, number);
    compute_with_idle_runtime(runtime, number);
    region.free();
  }

 private:
  void get_from_busy(Runtime& runtime, Region& region, int number) {
    runtime.barrier();
    if (rank_ == 1) {
      worker_.work(measure::WorkKind::registers, work_);
    } else {
      std::uniform_real_distribution<double> pause_s(0, 2 * stretch_s / (gets_a_stretch + 2));
      for (int i = 0; i < gets_a_stretch; ++i) {
        const double begin_s = measure::monotonic_s() + pause_s(random_);
        while (measure::monotonic_s() < begin_s) {
        }
        (void)get_value<double>(region, {.target = 1});
        const double time_s = measure::monotonic_s() - begin_s;
        append("busy-target", runtime, gets_a_stretch * number + i, time_s, 1);
        if (time_s > 0.5 * stretch_s) break;  // served only after the computation
      }
    }
    runtime.barrier();
  }

  void compute_with_idle_runtime(Runtime& runtime, int number) {
    runtime.barrier();
    const double begin_s = measure::monotonic_s();
    worker_.work(measure::WorkKind::registers, work_);
    double time_s = measure::monotonic_s() - begin_s;
    runtime.barrier();
    MPI_Bcast(&time_s, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    append("idle-progress-thread", runtime, number, time_s, 0);
  }

  void append(const char* probe, const Runtime& runtime, int round, double time_s, int messages) {
    if (file_ == nullptr) return;
    file_->append(record::Sample{.probe = probe,
                                 .case_index = std::strcmp(probe, "busy-target") == 0 ? 0 : 1,
                                 .quantity = std::string(to_string(runtime.progress())),
                                 .round = round,
                                 .time_s = time_s,
                                 .messages = messages,
                                 .ranks = 2});
  }

  record::SampleFile* file_;
  int rank_;
  measure::CountedWorker worker_;
  std::uint64_t work_;
  std::mt19937_64 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rounds = 0;
  if (argc == 3) std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), rounds);
  if (size != 2 || rounds < 1 || provided < MPI_THREAD_MULTIPLE) {
    if (rank == 0) {
      std::fprintf(stderr,
                   "usage: mpiexec -n 2 busy_target SAMPLES.jsonl ROUNDS, with MPI_THREAD_MULTIPLE\n");
    }
    MPI_Finalize();
    return 2;
  }
  const record::Header head = bench::header(argc, argv, 2);
  {
    const std::unique_ptr<record::SampleFile> file =
        rank == 0 ? std::make_unique<record::SampleFile>(argv[1]) : nullptr;
    if (file) file->append(head);
    Bench bench(file.get(), rank);
    for (int round = 0; round < rounds; ++round) {
      for (const Progress progress : {Progress::thread, Progress::poll}) bench.round(round, progress);
    }
    if (file) file->finish();
  }
  MPI_Finalize();
  return 0;
}
