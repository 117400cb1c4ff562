// SPDX-License-Identifier: BSD-3-Clause
#include "progress/session.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "mpi/world.hpp"
#include "progress/activity.hpp"
#include "progress/launched_job.hpp"
#include "progress/statistics.hpp"
#include "progress/thread_rules.hpp"

namespace stretto::progress {
namespace {

using mpi::world_rank;

bool is_set(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0';
}

/// The run goes on without the thread, and rank 0 says so in one line. The counts are kept for the statistics
/// only.
void go_on_without(const char* reason) {
  if (!activity.detailed()) activity.set_unused();
  if (world_rank() == 0) std::fprintf(stderr, "%s%s\n", no_thread, reason);
}

/// Collective over MPI_COMM_WORLD.
bool on_all_ranks(bool mine) {
  const int own = mine ? 1 : 0;
  int all = 0;
  PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

/// Cores that ranks of `host` may run on: a rank may be bound to one of them. Collective.
int cores_of(MPI_Comm host) {
  cpu_set_t own;
  cpu_set_t all;
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) != 0)
    std::memset(&own, 0xff, sizeof own);  // too many to be counted
  PMPI_Allreduce(&own, &all, static_cast<int>(sizeof own), MPI_BYTE, MPI_BOR, host);
  return CPU_COUNT(&all);
}

/// The host of the lowest rank that has too few cores; this rank's host where none has. Collective over
/// MPI_COMM_WORLD.
HostPlacement placement() {
  MPI_Comm host = MPI_COMM_NULL;
  PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  std::array<int, 2> found{};  // ranks and cores
  PMPI_Comm_size(host, found.data());
  found[1] = cores_of(host);
  PMPI_Comm_free(&host);
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const HostPlacement here{.ranks = found[0], .cores = found[1], .only_host = found[0] == ranks};
  const int mine = here.too_few_cores() ? world_rank() : ranks;
  int first = ranks;
  PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks) return here;
  PMPI_Bcast(found.data(), static_cast<int>(found.size()), MPI_INT, first, MPI_COMM_WORLD);
  return {.ranks = found[0], .cores = found[1], .only_host = here.only_host};
}

/// Rank 0's value of a variable, on all ranks; empty where it is not set.
std::string shared_variable(const char* name) {
  const char* const text = std::getenv(name);
  std::string value = text == nullptr ? "" : text;
  mpi::broadcast_text(value, MPI_COMM_WORLD);
  return value;
}

/// The interval that the variable's text gives; `usual` where it is empty or wrong, which rank 0 says.
std::chrono::nanoseconds interval_of(const std::string& text, std::chrono::nanoseconds usual) {
  if (text.empty()) return usual;
  if (const auto given = poll_interval(text)) return *given;
  if (world_rank() == 0) {
    std::fprintf(stderr, "stretto: %s=%s: give seconds from 0.00001 to 1; %s is used\n", interval_variable,
                 text.c_str(), in_seconds(usual).c_str());
  }
  return usual;
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

ProgressSession& ProgressSession::instance() {
  // Never destroyed: a program that exits without MPI_Finalize must not wait for a thread.
  static auto* const session = new ProgressSession;
  return *session;
}

int ProgressSession::level_to_request(int requested) {
  requested_ = requested;
#ifdef OPEN_MPI
  const int ranks = ranks_of_only_host(LaunchedBy::open_mpi);
#else
  const int ranks = ranks_of_only_host(LaunchedBy::hydra);
#endif
  may_start_ = is_set(interval_variable) || ranks < 2 || may_have_spare_cores(ranks);
  return may_start_ ? MPI_THREAD_MULTIPLE : requested;
}

void ProgressSession::begin(int provided) {
  if (poller_) return;
  activity.set_concurrent(requested_ == MPI_THREAD_MULTIPLE);
  const std::string interval_text = shared_variable(interval_variable);
  const HostPlacement where = placement();
  if (where.too_few_cores() && interval_text.empty()) {
    const std::string setting = std::string(interval_variable) + "=" + in_seconds(where.usual_interval());
    go_on_without((where.why_none() + "; " + setting + " starts one all the same").c_str());
    return;
  }
  if (!on_all_ranks(may_start_)) {
    go_on_without(
        "a rank may use one core only; STRETTO_POLL_INTERVAL_S for all ranks starts one all the same");
    return;
  }
  if (!on_all_ranks(provided >= MPI_THREAD_MULTIPLE)) {
    go_on_without("this MPI does not let several threads call it (MPI_THREAD_MULTIPLE)");
    return;
  }
  const std::chrono::nanoseconds interval = interval_of(interval_text, where.usual_interval());
  statistics_ = shared_variable("STRETTO_STATISTICS");
  activity.set_detailed(!statistics_.empty());
  pthread_atfork(nullptr, nullptr, [] { in_child = true; });
  agreement_.emplace();
  pending_.emplace();
  PMPI_Barrier(MPI_COMM_WORLD);  // trials count time from here
  const std::scoped_lock lock(ending_);
  if (why_none_ != nullptr) {
    go_on_without(why_none_);
    return;
  }
  try {
    poller_ = std::make_unique<Poller>([this] { pending_->test(); }, interval, *agreement_);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "%s%s\n", no_thread, error.what());
  }
}

void ProgressSession::end_thread(const char* reason) {
  const std::scoped_lock lock(ending_);
  why_none_ = reason;
  if (!poller_ || counts_ || in_child) return;
  counts_ = poller_->stop();
  go_on_without(reason);
}

void ProgressSession::end() {
  if (!agreement_ || in_child) return;
  if (poller_ && !counts_) counts_ = poller_->stop();
  const PollCounts counts = counts_.value_or(PollCounts{});
  poller_.reset();
  agreement_->finish();
  agreement_.reset();
  pending_.reset();
  if (!statistics_.empty()) write_statistics(statistics_, counts);
}

int ProgressSession::level_for_program(int provided) const { return std::min(requested_, provided); }

}  // namespace stretto::progress
