// SPDX-License-Identifier: BSD-3-Clause
#include "network/contention.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

namespace stretto::network {
namespace {

constexpr double all_are_eager = std::numeric_limits<double>::infinity();

}  // namespace

// Cached, because the choice evaluates every class of sizes, and one evaluation takes long with many ranks.
double makespan_s(const std::vector<GroupedOperation>& operations, const MessageCosts& costs) {
  static std::mutex guard;
  static std::map<std::pair<std::vector<GroupedOperation>, MessageCosts>, double> known;
  const std::scoped_lock lock(guard);
  std::pair question{operations, costs};
  const auto found = known.find(question);
  if (found != known.end()) return found->second;
  const double time_s = makespan_s(programs_of(operations), costs);
  return known.emplace(std::move(question), time_s).first->second;
}

double link_time(const GroupedOperation& operation, const Torus& torus, Sending sending) {
  const MessageCosts costs{.gap_s_per_byte = 1,
                           .eager_limit_bytes = sending == Sending::eager ? all_are_eager : 0,
                           .torus = torus};
  GroupedOperation of_one_unit = operation;
  of_one_unit.size = 1;
  return makespan_s(std::vector{of_one_unit}, costs);
}

int overheads(Operation operation, int members) {
  const MessageCosts costs{.overhead_s = 1, .eager_limit_bytes = all_are_eager, .torus = {}};
  const GroupedOperation alone{.operation = operation, .members = members, .placement = {}};
  return static_cast<int>(std::lround(makespan_s(std::vector{alone}, costs)));
}

double makespan_excess_s(const MessageCosts& costs, std::vector<std::vector<GroupedOperation>> operations,
                         double size_bytes) {
  std::vector<GroupedOperation> all;
  double sum_s = 0;
  for (std::vector<GroupedOperation>& rooted : operations) {
    if (rooted.empty()) return 0;
    for (GroupedOperation& one : rooted) one.size *= size_bytes;
    all.insert(all.end(), rooted.begin(), rooted.end());
    sum_s += makespan_s(rooted, costs);
  }
  return makespan_s(all, costs) - sum_s;
}

}  // namespace stretto::network
