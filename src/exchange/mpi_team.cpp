// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mpi_team.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "exchange/platform.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {

using mpi::check;

MpiTeam::MpiTeam(MPI_Comm parent) : control_(parent) {
  agree_on_clock();
  count_machines();
}

// Counts machines by clock domain: ranks that share a clock share one kernel and its memory, even where MPI
// is made to see several hosts.
void MpiTeam::count_machines() {
  const std::vector<std::string> domains = control_.gather(clock_domain());
  for (const std::string& domain : domains) {
    ranks_on_machine_ = std::max(ranks_on_machine_, static_cast<int>(std::ranges::count(domains, domain)));
  }
  share(ranks_on_machine_);
  cores_ = platform_cores();
  share(cores_);
}

double MpiTeam::now_s() { return platform_now_s() + offset_s_; }

// A rank that spins where ranks share cores would keep others from their start.
void MpiTeam::wait_until(double deadline_s) {
  const double local_s = deadline_s - offset_s_;
  is_crowded() ? platform_sleep_until(local_s) : platform_wait_until(local_s);
}

measure::ProcessorAccount MpiTeam::processor_account() { return platform_processor_account(); }

std::optional<measure::HostActivity> MpiTeam::host_activity() {
  std::optional<measure::HostActivity> activity = platform_activity();
  if (activity) activity->machine = std::hash<std::string>{}(clock_domain());
  return activity;
}

void MpiTeam::rest(double seconds) { platform_rest(seconds); }

void MpiTeam::broadcast(std::span<std::byte> data) {
  const auto bytes = static_cast<int>(data.size());
  // A single rank has no other rank to serve, and SMPI never completes a request of a single rank.
  if (!while_waiting_ || size() == 1) {
    check(MPI_Bcast(data.data(), bytes, MPI_BYTE, 0, control_.get()), "MPI_Bcast");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibcast(data.data(), bytes, MPI_BYTE, 0, control_.get(), &request), "MPI_Ibcast");
  wait(request);
}

void MpiTeam::gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  const auto bytes = static_cast<int>(mine.size());
  if (!while_waiting_ || size() == 1) {
    check(MPI_Gather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, control_.get()),
          "MPI_Gather");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Igather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, control_.get(), &request),
        "MPI_Igather");
  wait(request);
}

void MpiTeam::barrier() {
  if (!while_waiting_ || size() == 1) {
    check(MPI_Barrier(control_.get()), "MPI_Barrier");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(control_.get(), &request), "MPI_Ibarrier");
  wait(request);
}

void MpiTeam::wait(MPI_Request& request) const {
  for (int done = 0; done == 0;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done == 0) while_waiting_();
  }
}

bool MpiTeam::same_kernel() const {
  const std::string mine = clock_domain();
  const std::string first = control_.broadcast(mine);
  int same = !mine.empty() && mine == first ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, control_.get()), "MPI_Allreduce");
  return same != 0;
}

void MpiTeam::agree_on_clock() {
  if (!same_kernel()) {
    for (int other = 1; other < size(); ++other) {
      if (rank() == 0 || rank() == other) measure_offset(other);
    }
  }
  offsets_s_ = collect(offset_s_);
}

// Cristian's algorithm: the error of the reading with the shortest round trip is at most half of that round
// trip.
void MpiTeam::measure_offset(int other) {
  constexpr int round_trips = 200;
  constexpr int tag = 0;
  double shortest_s = std::numeric_limits<double>::infinity();
  double offset_s = 0;
  for (int i = 0; i < round_trips; ++i) {
    if (rank() == other) {
      double token = 0;
      check(MPI_Recv(&token, 1, MPI_DOUBLE, 0, tag, control_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
      const double reading_s = platform_now_s();
      check(MPI_Send(&reading_s, 1, MPI_DOUBLE, 0, tag, control_.get()), "MPI_Send");
      continue;
    }
    const double begin_s = platform_now_s();
    double reading_s = 0;
    check(MPI_Send(&begin_s, 1, MPI_DOUBLE, other, tag, control_.get()), "MPI_Send");
    check(MPI_Recv(&reading_s, 1, MPI_DOUBLE, other, tag, control_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    const double round_trip_s = platform_now_s() - begin_s;
    if (round_trip_s < shortest_s) {
      shortest_s = round_trip_s;
      offset_s = begin_s + 0.5 * round_trip_s - reading_s;
    }
  }
  if (rank() == 0) {
    offset_error_s_ = std::max(offset_error_s_, 0.5 * shortest_s);
    check(MPI_Send(&offset_s, 1, MPI_DOUBLE, other, tag, control_.get()), "MPI_Send");
  } else {
    check(MPI_Recv(&offset_s_, 1, MPI_DOUBLE, 0, tag, control_.get(), MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

}  // namespace stretto::exchange
