// SPDX-License-Identifier: BSD-3-Clause
#include "progress/session.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "progress/activity.hpp"
#include "progress/statistics.hpp"

namespace stretto::progress {
namespace {

constexpr std::chrono::nanoseconds default_interval = std::chrono::milliseconds{1};

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// One line on rank 0: the run goes on without the thread.
void say_without(const char* reason) {
  if (world_rank() == 0) std::fprintf(stderr, "stretto: no progress thread: %s\n", reason);
}

/// A host on which ranks share cores; `ranks` is 0 where there is none.
struct Crowd {
  int ranks = 0;
  int cores = 0;
};

/// Of the hosts with more ranks than cores, that of the lowest rank. Collective over MPI_COMM_WORLD.
Crowd crowded_host() {
  MPI_Comm host = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  Crowd crowd;
  PMPI_Comm_size(host, &crowd.ranks);
  cpu_set_t own;
  cpu_set_t all;  // a rank may be bound to one of the host's cores
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) != 0)
    std::memset(&own, 0xff, sizeof own);  // too many to be counted
  PMPI_Allreduce(&own, &all, static_cast<int>(sizeof own), MPI_BYTE, MPI_BOR, host);
  PMPI_Comm_free(&host);
  crowd.cores = CPU_COUNT(&all);
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int mine = crowd.ranks > crowd.cores ? world_rank() : ranks;
  int first = ranks;
  PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks) return {};
  std::array<int, 2> found{crowd.ranks, crowd.cores};
  PMPI_Bcast(found.data(), static_cast<int>(found.size()), MPI_INT, first, MPI_COMM_WORLD);
  return {.ranks = found[0], .cores = found[1]};
}

/// Rank 0's value of a variable, on all ranks; empty where it is not set.
std::string shared_variable(const char* name) {
  const char* const text = std::getenv(name);
  std::string value = text == nullptr ? "" : text;
  auto length = static_cast<int>(value.size());
  PMPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  value.resize(static_cast<std::size_t>(length));
  PMPI_Bcast(value.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return value;
}

/// The interval that STRETTO_POLL_INTERVAL_S has; the default where it is empty, or no number of seconds.
std::chrono::nanoseconds poll_interval(const std::string& text) {
  if (text.empty()) return default_interval;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (*end == '\0' && seconds >= 1e-5 && seconds <= 1) {
    return std::chrono::nanoseconds(std::llround(seconds * 1e9));
  }
  if (world_rank() == 0) {
    std::fprintf(stderr,
                 "stretto: STRETTO_POLL_INTERVAL_S=%s: give seconds from 0.00001 to 1; 0.001 is used\n",
                 text.c_str());
  }
  return default_interval;
}

/// After fork() the child has no progress thread, and must not wait for one.
std::atomic<bool> in_child{false};

}  // namespace

PendingReceive::PendingReceive() {
  PMPI_Comm_dup(MPI_COMM_SELF, &communicator_);
  PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, 0, communicator_, &request_);
}

PendingReceive::~PendingReceive() {
  PMPI_Cancel(&request_);
  PMPI_Wait(&request_, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&communicator_);
}

void PendingReceive::test() {
  int completed = 0;
  PMPI_Test(&request_, &completed, MPI_STATUS_IGNORE);
}

Session& Session::instance() {
  // Never destroyed: a program that exits without MPI_Finalize must not wait for a thread.
  static auto* const session = new Session;
  return *session;
}

void Session::begin(int requested, int provided) {
  if (poller_) return;
  requested_ = requested;
  activity.set_concurrent(requested == MPI_THREAD_MULTIPLE);
  if (provided < MPI_THREAD_MULTIPLE) {
    say_without("this MPI does not let several threads call it (MPI_THREAD_MULTIPLE)");
    return;
  }
  const std::string interval_text = shared_variable("STRETTO_POLL_INTERVAL_S");
  if (const Crowd crowd = crowded_host(); crowd.ranks > 0 && interval_text.empty()) {
    const std::string said = std::to_string(crowd.ranks) + " ranks share " + std::to_string(crowd.cores) +
                             " cores; STRETTO_POLL_INTERVAL_S=0.001 starts one all the same";
    say_without(said.c_str());
    return;
  }
  const std::chrono::nanoseconds interval = poll_interval(interval_text);
  statistics_ = shared_variable("STRETTO_STATISTICS");
  activity.set_detailed(!statistics_.empty());
  pthread_atfork(nullptr, nullptr, [] { in_child = true; });
  agreement_.emplace();
  pending_.emplace();
  PMPI_Barrier(MPI_COMM_WORLD);  // trials count time from here
  const std::scoped_lock lock(ending_);
  if (why_none_ != nullptr) {
    say_without(why_none_);
    return;
  }
  try {
    poller_ = std::make_unique<Poller>([this] { pending_->test(); }, interval, *agreement_);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "stretto: no progress thread: %s\n", error.what());
  }
}

void Session::end_thread(const char* reason) {
  const std::scoped_lock lock(ending_);
  why_none_ = reason;
  if (!poller_ || counts_ || in_child) return;
  counts_ = poller_->stop();
  say_without(reason);
}

void Session::end() {
  if (!agreement_ || in_child) return;
  if (poller_ && !counts_) counts_ = poller_->stop();
  const PollCounts counts = counts_.value_or(PollCounts{});
  poller_.reset();
  agreement_->finish();
  agreement_.reset();
  pending_.reset();
  if (!statistics_.empty()) write_statistics(statistics_, counts);
}

int Session::level_for_program(int provided) const { return std::min(requested_, provided); }

}  // namespace stretto::progress
