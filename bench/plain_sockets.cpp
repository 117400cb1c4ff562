// SPDX-License-Identifier: BSD-3-Clause
// What moving data costs the computation without any MPI: two ranks exchange bytes over a TCP connection of
// their own, in a thread per direction that blocks in the kernel, while they compute. A progress thread has
// this work of the kernel, and that of MPI. MPI starts the ranks only. The samples are those of the probe
// `overlap`, with the transport `sockets`.
//
//   mpiexec -n 2 plain_sockets SAMPLES.jsonl ROUNDS SIZE_BYTES...
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <semaphore>
#include <stretto/work.hpp>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "balanced_computation.hpp"
#include "connection.hpp"
#include "interleaved_rounds.hpp"

namespace {

using namespace stretto;

/// Does its task once per start, in a thread of its own.
class Repeating {
 public:
  explicit Repeating(std::function<void()> task) : task_(std::move(task)), thread_([this] { run(); }) {}
  Repeating(const Repeating&) = delete;
  Repeating& operator=(const Repeating&) = delete;
  ~Repeating() {
    ends_ = true;
    started_.release();
    thread_.join();
  }

  void start() { started_.release(); }
  void wait() { done_.acquire(); }

 private:
  void run() {
    for (started_.acquire(); !ends_; started_.acquire()) {
      task_();
      done_.release();
    }
  }

  std::function<void()> task_;
  bool ends_ = false;  // ordered by `started_`
  std::binary_semaphore started_{0};
  std::binary_semaphore done_{0};
  std::thread thread_;  // last: it uses the others
};

/// The threads of this rank that move `size_bytes`: from rank 0 to rank 1, or both ways.
class Transfer {
 public:
  Transfer(const bench::Connection& connection, int rank, bool both_ways, std::size_t size_bytes)
      : sent_(size_bytes), received_(size_bytes) {
    if (both_ways || rank == 0)
      threads_.push_back(std::make_unique<Repeating>([&connection, this] { connection.send(sent_); }));
    if (both_ways || rank == 1)
      threads_.push_back(std::make_unique<Repeating>([&connection, this] { connection.receive(received_); }));
  }

  void start() {
    for (const auto& thread : threads_) thread->start();
  }
  void wait() {
    for (const auto& thread : threads_) thread->wait();
  }

 private:
  std::vector<char> sent_;
  std::vector<char> received_;
  std::vector<std::unique_ptr<Repeating>> threads_;
};

void measure(bench::InterleavedRounds& rounds, int how_often, Transfer& transfer, bool both_ways,
             std::int64_t size_bytes) {
  measure::CountedWorker worker;
  const auto communicate = [&] {
    transfer.start();
    transfer.wait();
  };
  communicate();
  const std::uint64_t count = bench::balanced_count(worker, communicate);
  double work_s = 0;
  const auto compute = [&] {
    const double began_s = MPI_Wtime();
    worker.work(measure::WorkKind::registers, count);
    work_s = MPI_Wtime() - began_s;
  };
  const auto both = [&] {
    transfer.start();
    compute();
    transfer.wait();
  };
  const bench::Case one{.probe = "overlap",
                        .axes = {{"transport", "sockets"},
                                 {"operation", "send"},
                                 {"progress", "thread"},
                                 {"side", "both"},
                                 {"direction", both_ways ? "both-ways" : "one-way"},
                                 {"size_bytes", size_bytes},
                                 {"work_kind", "register"},
                                 {"ratio", 1.0},
                                 {"work_count", static_cast<std::int64_t>(count)}}};
  rounds.measure(one, {{"T_c", communicate}, {"T_w", compute, &work_s}, {"T_t", both, &work_s}}, how_often);
}

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void run(int argc, char** argv) {
  const int sizes = argc - 3;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bench::Connection connection(rank);
  bench::InterleavedRounds rounds(argc, argv, argv[1], 2 * sizes);
  for (const bool both_ways : {false, true}) {
    for (int i = 3; i < argc; ++i) {
      const int size_bytes = number(argv[i]);
      Transfer transfer(connection, rank, both_ways, static_cast<std::size_t>(size_bytes));
      measure(rounds, number(argv[2]), transfer, both_ways, size_bytes);
    }
  }
  rounds.finish();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool understood = argc >= 4 && ranks == 2 && std::all_of(argv + 2, argv + argc, [](const char* text) {
                            return number(text) > 0;
                          });
  try {
    if (understood) run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plain_sockets: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (!understood) {
    std::fprintf(stderr, "usage: mpiexec -n 2 plain_sockets SAMPLES.jsonl ROUNDS SIZE_BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
