// SPDX-License-Identifier: BSD-3-Clause
#include "collective/interpose/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "mpi/check.hpp"
#include "mpi/plain_numbers.hpp"
#include "network/collective_choice.hpp"

namespace stretto::interpose {
namespace {

using mpi::check;

/// The record that is sent to rank 0.
struct Row {
  CallClass of;
  CallCount count;
};

std::vector<Row> gathered(const std::vector<Row>& mine, MPI_Comm communicator) {
  int rank = 0;
  int ranks = 0;
  check(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  const auto bytes = static_cast<int>(mine.size() * sizeof(Row));
  std::vector<int> lengths(static_cast<std::size_t>(ranks));
  check(PMPI_Gather(&bytes, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, communicator), "MPI_Gather");
  std::vector<int> places(lengths.size());
  int total = 0;
  for (std::size_t i = 0; rank == 0 && i < lengths.size(); ++i) {
    places[i] = total;
    total += lengths[i];
  }
  std::vector<Row> all(static_cast<std::size_t>(total) / sizeof(Row));
  check(PMPI_Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), lengths.data(), places.data(), MPI_BYTE, 0,
                     communicator),
        "MPI_Gatherv");
  return all;
}

std::string line(const CallClass& of, const CallCount& count) {
  const collective::Grid grid{.rows = of.rows, .columns = of.columns};
  std::string form = to_string(grid);
  if (of.segments > 1) form.append("/").append(std::to_string(of.segments));
  if (count.undecided > 0) form.append(" undecided");
  std::array<char, 32> predicted{"-"};
  if (count.predicted_s > 0)
    std::snprintf(predicted.data(), predicted.size(), "%.1f", count.predicted_s * 1e6);
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), "%-15s %5d %11llu %-16s %9lld %12.1f %12s\n",
                std::string{to_string(static_cast<collective::Operation>(of.operation))}.c_str(), of.ranks,
                static_cast<unsigned long long>(network::middle_of(of.size_class)), form.c_str(),
                static_cast<long long>(count.calls), count.time_s * 1e6, predicted.data());
  return text.data();
}

/// A profile that is off by more than this no longer fits.
constexpr double stale_factor = 1.2;

/// A line where the predictions of a profile are off by more than `stale_factor`; else empty. Too short a
/// prediction is one that even the fastest calls exceed, because others may have waited for late ranks. Too
/// long a prediction is one that the mean call does not reach.
std::string stale_line(const std::map<CallClass, CallCount>& sums, const std::string& profile) {
  double predicted_s = 0;
  double fastest_s = 0;
  double mean_s = 0;
  for (const auto& [of, count] : sums) {
    if (count.predicted_s <= 0) continue;
    const auto calls = static_cast<double>(count.calls);
    predicted_s += calls * count.predicted_s;
    fastest_s += calls * count.fastest_s;
    mean_s += calls * count.time_s;
  }
  if (predicted_s <= 0 || profile.empty()) return {};
  double factor = 1;
  if (fastest_s > stale_factor * predicted_s) factor = fastest_s / predicted_s;
  if (mean_s * stale_factor < predicted_s) factor = mean_s / predicted_s;
  if (factor == 1) return {};
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.2g", factor);
  return "# the profile is stale: collectives took " + std::string{text.data()} +
         " times their predicted time; measure again for " + profile + "\n";
}

}  // namespace

void Statistics::add(collective::Operation operation, int ranks, std::uint64_t size_bytes,
                     const collective::Decision& decision, double time_s) {
  const CallClass of{.operation = static_cast<int>(operation),
                     .ranks = ranks,
                     .size_class = network::class_of(size_bytes),
                     .rows = decision.grid.is_flat() ? 0 : decision.grid.rows,
                     .columns = decision.grid.is_flat() ? 0 : decision.grid.columns,
                     .segments = decision.segments};
  const std::lock_guard lock(mutex_);
  CallCount& count = counts_[of];
  count.fastest_s = count.calls == 0 ? time_s : std::min(count.fastest_s, time_s);
  ++count.calls;
  count.time_s += time_s;
  count.predicted_s = decision.predicted_s;
  if (decision.undecided) ++count.undecided;
}

std::string Statistics::table(MPI_Comm communicator, const std::string& profile) {
  std::vector<Row> mine;
  for (const auto& [of, count] : counts_) {
    mine.push_back({.of = of, .count = count});
    mine.back().count.time_s /= static_cast<double>(count.calls);
  }
  std::map<CallClass, CallCount> sums;
  for (const Row& row : gathered(mine, communicator)) {
    CallCount& sum = sums[row.of];
    sum.calls = std::max(sum.calls, row.count.calls);
    sum.time_s = std::max(sum.time_s, row.count.time_s);
    sum.fastest_s = std::max(sum.fastest_s, row.count.fastest_s);
    sum.predicted_s = row.count.predicted_s;
    sum.undecided = std::max(sum.undecided, row.count.undecided);
  }
  if (sums.empty()) return {};
  const mpi::PlainNumbers plain;
  std::string text =
      "# stretto collectives: calls of a rank, the mean call on the slowest rank against the prediction\n"
      "# operation     ranks      ~bytes form                 calls     time(us) predicted(us)\n";
  for (const auto& [of, count] : sums) text += line(of, count);
  return text + stale_line(sums, profile);
}

}  // namespace stretto::interpose
