// SPDX-License-Identifier: BSD-3-Clause
// Aggregation: many small transfers to one rank leave as one message. Counts the messages with and without.
// `node_ranks = 1` treats every rank as a node of its own; on one node there would be no messages to count.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <stretto/aggregate.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <string>
#include <vector>

#include "conclude.hpp"

namespace {

constexpr std::size_t count = 200;  // scattered numbers that a rank gets from another
constexpr std::size_t apart = 17;   // from one to the next

std::uint64_t messages_of(const stretto::Counters& counters) {
  return counters[stretto::Path::rma].messages + counters[stretto::Path::message].messages;
}

std::size_t offset_of(std::size_t i) { return i * apart * sizeof(double); }

bool gather_scattered(std::string& result) {
  stretto::Runtime runtime(MPI_COMM_WORLD, {.path = stretto::Path::message, .node_ranks = 1});
  stretto::Region region(runtime, count * apart * sizeof(double));
  const std::span<double> mine = region.local_as<double>();
  std::iota(mine.begin(), mine.end(), 0.0);
  runtime.barrier();
  const int target = (runtime.rank() + 1) % runtime.size();

  // One nonblocking get a number, and one message each.
  std::vector<double> single(count);
  std::vector<stretto::Handle> handles;
  for (std::size_t i = 0; i < count; ++i) {
    handles.push_back(stretto::nonblocking::get(region, {.target = target, .offset = offset_of(i)},
                                                std::span{&single[i], 1}));
  }
  runtime.wait_all(handles);
  const std::uint64_t single_messages = messages_of(runtime.counters(target));
  runtime.reset_counters();

  // The same gets through an aggregate go out when it is waited for.
  std::vector<double> gathered(count);
  stretto::Aggregate aggregate(runtime);
  for (std::size_t i = 0; i < count; ++i) {
    aggregate.get(region, {.target = target, .offset = offset_of(i)}, std::span{&gathered[i], 1});
  }
  runtime.wait(aggregate);
  const std::uint64_t gathered_messages = messages_of(runtime.counters(target));
  runtime.barrier();

  bool right = single == gathered;
  for (std::size_t i = 0; i < count; ++i) right = right && gathered[i] == static_cast<double>(i * apart);
  if (runtime.size() > 1) right = right && single_messages == count && gathered_messages < count / 10;
  result = "aggregate: " + std::to_string(count) + " gets took " + std::to_string(single_messages) +
           " messages one by one, " + std::to_string(gathered_messages) + " aggregated";
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  std::string result;
  const bool right = gather_scattered(result);
  return examples::conclude(right, result);
}
