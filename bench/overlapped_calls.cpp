// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls of plain MPI as a naive program makes them: start, compute, wait. It uses neither
// stretto's runtime nor its probes, so that what is preloaded into it is all that it has of stretto.
//
//   mpiexec -n 2 overlapped_calls SAMPLES.jsonl ROUNDS OPERATION:SIZE_BYTES[:ITERATIONS]...
//
// OPERATION: send (both ways), alltoall, allreduce, broadcast; exchange sends both ways without computation;
// idle computes for SIZE_BYTES iterations, alone. Runs that are compared must compute for the same number of
// ITERATIONS. Without it the computation takes as long as the communication, and its samples tell the number.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "balanced_computation.hpp"
#include "interleaved_rounds.hpp"
#include "measure/work.hpp"

namespace {

using namespace stretto;

/// One argument: OPERATION:SIZE_BYTES[:ITERATIONS].
struct Call {
  std::string_view operation;
  int size_bytes = 0;
  int iterations = 0;  // 0: as long as the communication takes

  explicit Call(std::string_view text) : operation(field(text)) {
    size_bytes = bench::number(field(text));
    iterations = bench::number(field(text));
  }

 private:
  /// What stands before the first colon, which it removes from `text`.
  static std::string_view field(std::string_view& text) {
    const std::string_view found = text.substr(0, text.find(':'));
    text.remove_prefix(std::min(found.size() + 1, text.size()));
    return found;
  }
};

/// Buffers and requests of one operation.
class Communication {
 public:
  Communication(std::string_view operation, int bytes)
      : operation_(operation), bytes_(bytes), out_(static_cast<std::size_t>(bytes)), in_(out_.size()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  [[nodiscard]] bool is_known() const {
    return operation_ == "send" || operation_ == "alltoall" || operation_ == "allreduce" ||
           operation_ == "broadcast";
  }

  void start() {
    const int doubles = bytes_ / static_cast<int>(sizeof(double));
    requests_.assign(1, MPI_REQUEST_NULL);
    if (operation_ == "alltoall") {
      MPI_Ialltoall(out_.data(), bytes_ / ranks_, MPI_BYTE, in_.data(), bytes_ / ranks_, MPI_BYTE,
                    MPI_COMM_WORLD, requests_.data());
    } else if (operation_ == "allreduce") {
      MPI_Iallreduce(out_.data(), in_.data(), doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, requests_.data());
    } else if (operation_ == "broadcast") {
      MPI_Ibcast(out_.data(), bytes_, MPI_BYTE, 0, MPI_COMM_WORLD, requests_.data());
    } else {
      const int other = rank_ ^ 1;
      requests_.assign(2, MPI_REQUEST_NULL);
      MPI_Irecv(in_.data(), bytes_, MPI_BYTE, other, 0, MPI_COMM_WORLD, requests_.data());
      MPI_Isend(out_.data(), bytes_, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests_[1]);
    }
  }

  void wait() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

  void complete() {
    start();
    wait();
  }

 private:
  std::string_view operation_;
  int bytes_;
  std::vector<char> out_;
  std::vector<char> in_;
  std::vector<MPI_Request> requests_;
  int rank_ = 0;
  int ranks_ = 1;
};

void measure_idle(bench::InterleavedRounds& rounds, measure::Worker& worker, int count, int how_often) {
  const auto compute = [&] { worker.work(measure::WorkKind::registers, static_cast<std::uint64_t>(count)); };
  rounds.measure({"overlapped-calls", {{"size_bytes", count}}, 1}, {{"T_w", compute}}, how_often);
}

void measure_exchange(bench::InterleavedRounds& rounds, int size_bytes, int how_often) {
  constexpr int repeats = 500;
  Communication communication("send", size_bytes);
  const bench::Case one{"overlapped-calls", {{"operation", "send"}, {"size_bytes", size_bytes}}, repeats};
  rounds.measure(one, {{"T_c", [&] { communication.complete(); }}}, how_often);
}

void measure_overlap(bench::InterleavedRounds& rounds, measure::Worker& worker, const Call& call,
                     int how_often) {
  Communication communication(call.operation, call.size_bytes);
  const auto communicate = [&] { communication.complete(); };
  communicate();
  const std::uint64_t count = call.iterations > 0 ? static_cast<std::uint64_t>(call.iterations)
                                                  : bench::balanced_count(worker, communicate);
  const auto compute = [&] { worker.work(measure::WorkKind::registers, count); };
  const auto both = [&] {
    communication.start();
    compute();
    communication.wait();
  };
  const bench::Case one{.probe = "overlapped-calls",
                        .axes = {{"operation", std::string(call.operation)},
                                 {"size_bytes", call.size_bytes},
                                 {"work_count", static_cast<std::int64_t>(count)}}};
  rounds.measure(one, {{"T_c", communicate}, {"T_w", compute}, {"T_t", both}}, how_often);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4 || bench::number(argv[2]) < 1) {
    std::fprintf(stderr,
                 "usage: overlapped_calls SAMPLES.jsonl ROUNDS OPERATION:SIZE_BYTES[:ITERATIONS]...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  bench::InterleavedRounds rounds(argc, argv, argv[1], argc - 3);
  measure::CountedWorker worker;
  for (int i = 3; i < argc; ++i) {
    const Call call(argv[i]);
    if (call.operation == "idle") {
      measure_idle(rounds, worker, call.size_bytes, bench::number(argv[2]));
    } else if (call.operation == "exchange" && call.size_bytes > 0) {
      measure_exchange(rounds, call.size_bytes, bench::number(argv[2]));
    } else if (call.size_bytes > 0 && Communication(call.operation, call.size_bytes).is_known()) {
      measure_overlap(rounds, worker, call, bench::number(argv[2]));
    } else {
      std::fprintf(stderr, "overlapped_calls: %s: give OPERATION:SIZE_BYTES[:ITERATIONS]\n", argv[i]);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  rounds.finish();
  MPI_Finalize();
  return 0;
}
