// SPDX-License-Identifier: BSD-3-Clause
// Puts with a signal from rank 0 to rank 1: compared with plain puts that a fence completes, and overlapped
// with computation on both ranks. Every variant ends with the runtime's barrier.
//
//   mpiexec -n 2 signalled_puts SAMPLES.jsonl ROUNDS SIZE_BYTES...
#include <mpi.h>

#include <cstdio>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <vector>

#include "arguments.hpp"
#include "balanced_computation.hpp"
#include "interleaved_rounds.hpp"
#include "measure/work.hpp"

namespace {

using namespace stretto;

/// The variants for one message size. The constructor is collective, because it balances T_w with T_c.
class Bench {
 public:
  Bench(Runtime& runtime, measure::Worker& worker, std::size_t size_bytes)
      : runtime_(runtime), worker_(worker), region_(runtime, size_bytes + 8), data_(size_bytes) {
    count_ = bench::balanced_count(worker_, [this] { signalled(0); });
  }

  void plain() {
    if (runtime_.rank() == 0) {
      Handle handle = nonblocking::put(region_, {.target = 1}, data_);
      runtime_.wait(handle);
      runtime_.fence(1);
    }
    runtime_.barrier();
  }
  /// Both ranks compute `count` iterations between the start of the put and its completion.
  void signalled(std::uint64_t count) {
    ++round_;
    Handle handle;
    if (runtime_.rank() == 0)
      handle = nonblocking::put_signal(region_, {.target = 1}, data_, {.offset = data_.size()});
    if (count > 0) worker_.work(measure::WorkKind::registers, count);
    runtime_.wait(handle);
    if (runtime_.rank() == 1) wait_signal(region_, data_.size(), round_);
    runtime_.barrier();
  }
  void compute() {
    worker_.work(measure::WorkKind::registers, count_);
    runtime_.barrier();
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  Runtime& runtime_;
  measure::Worker& worker_;
  Region region_;
  std::vector<std::byte> data_;
  std::uint64_t round_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc < 4 || provided < MPI_THREAD_MULTIPLE) {
    std::fprintf(stderr,
                 "usage: signalled_puts SAMPLES.jsonl ROUNDS SIZE_BYTES..., with MPI_THREAD_MULTIPLE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::thread});
    bench::InterleavedRounds rounds(argc, argv, argv[1], argc - 3);
    measure::CountedWorker worker;
    for (int i = 3; i < argc; ++i) {
      const auto size = bench::number<std::size_t>(argv[i]);
      Bench bench(runtime, worker, size);
      rounds.measure({"signalled-puts", {{"size_bytes", static_cast<std::int64_t>(size)}}, 1},
                     {{"put", [&] { bench.plain(); }},
                      {"T_c", [&] { bench.signalled(0); }},
                      {"T_w", [&] { bench.compute(); }},
                      {"T_t", [&] { bench.signalled(bench.count()); }}},
                     bench::number(argv[2]));
    }
    rounds.finish();
  }
  MPI_Finalize();
  return 0;
}
