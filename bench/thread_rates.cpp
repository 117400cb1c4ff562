// SPDX-License-Identifier: BSD-3-Clause
// Messages per second from one rank to eight ranks on other hosts: put by one thread, by eight threads with
// a target each, and sent by as many over plain MPI, with a communicator for each thread. Ranks that only
// wait sleep between two polls, because all share few processors.
//
//   mpiexec -n RANKS thread_rates SAMPLES.jsonl ROUNDS MESSAGES
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "interleaved_rounds.hpp"

namespace {

using namespace stretto;

constexpr int targets_used = 8;
constexpr int window = 32;  // of messages that a thread has outstanding
constexpr std::size_t message_bytes = 8;
constexpr std::chrono::microseconds nap{200};

/// The first ranks that are not on rank 0's node.
std::vector<int> remote_ranks(const Runtime& runtime) {
  std::vector<int> remote;
  const Team world = runtime.world();
  for (int rank = 0; rank < world.size(); ++rank) {
    const bool elsewhere = world.nodes()[static_cast<std::size_t>(rank)] != world.nodes().front();
    if (elsewhere && remote.size() < targets_used) remote.push_back(rank);
  }
  return remote;
}

/// A barrier of ranks that sleep.
void sleeping_barrier(MPI_Comm communicator) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(communicator, &request);
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(nap);
  }
}

class Bench {
 public:
  Bench(Runtime& runtime, int messages)
      : runtime_(runtime),
        region_(runtime, targets_used * message_bytes),
        targets_(remote_ranks(runtime)),
        each_(messages / targets_used / window * window) {
    MPI_Comm_dup(MPI_COMM_WORLD, &waiting_);
    for (MPI_Comm& one : communicators_) MPI_Comm_dup(MPI_COMM_WORLD, &one);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  ~Bench() {
    MPI_Comm_free(&waiting_);
    for (MPI_Comm& one : communicators_) MPI_Comm_free(&one);
  }

  [[nodiscard]] bool has_targets() const { return targets_.size() == targets_used && each_ > 0; }
  [[nodiscard]] int messages() const { return each_ * targets_used; }

  void by_runtime(int threads) {
    if (runtime_.rank() == 0) {
      spread(threads, [&](int first, int last) { put(first, last); });
      runtime_.fence();
    }
    sleeping_barrier(waiting_);
  }

  void by_mpi(int threads) {
    if (runtime_.rank() == 0) {
      spread(threads, [&](int first, int last) { send(first, last); });
    } else {
      for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (targets_[i] == runtime_.rank()) receive(communicators_[i]);
      }
    }
    sleeping_barrier(waiting_);
  }

 private:
  static void spread(int threads, const std::function<void(int, int)>& work) {
    std::vector<std::thread> all;
    const int share = targets_used / threads;
    for (int thread = 1; thread < threads; ++thread) {
      all.emplace_back([&, thread] { work(thread * share, (thread + 1) * share); });
    }
    work(0, share);
    for (std::thread& one : all) one.join();
  }

  /// To the targets from `first` up to `last`, a window to each, one after the other.
  void put(int first, int last) {
    const std::array<double, 1> value{1};
    std::vector<Handle> handles(window);
    for (int sent = 0; sent < each_; sent += window) {
      for (int i = first; i < last; ++i) {
        const Place place{.target = targets_[static_cast<std::size_t>(i)],
                          .offset = static_cast<std::size_t>(i) * message_bytes};
        for (Handle& handle : handles) handle = nonblocking::put(region_, place, value);
        runtime_.wait_all(handles);
      }
    }
  }

  void send(int first, int last) {
    const std::array<double, 1> value{1};
    std::array<MPI_Request, window> requests;
    for (int sent = 0; sent < each_; sent += window) {
      for (int i = first; i < last; ++i) {
        const auto place = static_cast<std::size_t>(i);
        for (MPI_Request& request : requests) {
          MPI_Isend(value.data(), message_bytes, MPI_BYTE, targets_[place], 0, communicators_[place],
                    &request);
        }
        MPI_Waitall(window, requests.data(), MPI_STATUSES_IGNORE);
      }
    }
  }

  void receive(MPI_Comm communicator) const {
    std::array<double, window> values{};
    std::array<MPI_Request, window> requests;
    for (int received = 0; received < each_; received += window) {
      for (std::size_t i = 0; i < requests.size(); ++i) {
        MPI_Irecv(&values[i], message_bytes, MPI_BYTE, 0, 0, communicator, &requests[i]);
      }
      for (int done = 0; done == 0;) {
        MPI_Testall(window, requests.data(), &done, MPI_STATUSES_IGNORE);
        if (done == 0) std::this_thread::sleep_for(nap);
      }
    }
  }

  Runtime& runtime_;
  Region region_;
  std::vector<int> targets_;
  int each_;  // messages to each target
  MPI_Comm waiting_ = MPI_COMM_NULL;
  std::array<MPI_Comm, targets_used> communicators_{};
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc != 4 || provided < MPI_THREAD_MULTIPLE) {
    std::fprintf(stderr, "usage: thread_rates SAMPLES.jsonl ROUNDS MESSAGES, with MPI_THREAD_MULTIPLE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::thread, .contexts = targets_used});
    Bench bench(runtime, bench::number(argv[3]));
    if (!bench.has_targets()) {
      std::fprintf(stderr, "thread_rates: needs %d ranks on other nodes than rank 0's, and %d messages\n",
                   targets_used, targets_used * window);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench::InterleavedRounds rounds(argc, argv, argv[1], 1);
    rounds.measure({"thread-rates", {{"messages", bench.messages()}}, 1},
                   {{"stretto-1", [&] { bench.by_runtime(1); }},
                    {"stretto-8", [&] { bench.by_runtime(8); }},
                    {"mpi-1", [&] { bench.by_mpi(1); }},
                    {"mpi-8", [&] { bench.by_mpi(8); }}},
                   bench::number(argv[2]));
    rounds.finish();
  }
  MPI_Finalize();
  return 0;
}
