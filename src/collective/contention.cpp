// SPDX-License-Identifier: BSD-3-Clause
#include "collective/contention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

namespace stretto::collective {
namespace {

constexpr double all_are_eager = std::numeric_limits<double>::infinity();

/// Asked for every class of sizes, and a millisecond on hundreds of ranks: once is enough.
double known_makespan_s(const std::vector<Part>& parts, const Machine& machine) {
  static std::mutex guard;
  static std::map<std::pair<std::vector<Part>, Machine>, double> known;
  const std::scoped_lock lock(guard);
  const auto [place, is_new] = known.try_emplace({parts, machine});
  if (is_new) place->second = makespan_s(programs_of(parts), machine);
  return place->second;
}

}  // namespace

double link_time(Operation operation, int members, const Placement& placement, const Torus& torus,
                 Sending sending) {
  const Machine machine{.gap_s_per_byte = 1,
                        .eager_limit_bytes = sending == Sending::eager ? all_are_eager : 0,
                        .torus = torus};
  return known_makespan_s({{.operation = operation, .members = members, .placement = placement}}, machine);
}

int overheads(Operation operation, int members) {
  const Machine machine{.overhead_s = 1, .eager_limit_bytes = all_are_eager, .torus = {}};
  const double count =
      known_makespan_s({{.operation = operation, .members = members, .placement = {}}}, machine);
  return static_cast<int>(std::lround(count));
}

double beyond_s(const Machine& machine, std::vector<std::vector<Part>> operations, double size_bytes) {
  std::vector<Part> all;
  double each_s = 0;
  for (std::vector<Part>& parts : operations) {
    if (parts.empty()) return 0;
    for (Part& part : parts) part.size *= size_bytes;
    all.insert(all.end(), parts.begin(), parts.end());
    each_s += known_makespan_s(parts, machine);
  }
  return known_makespan_s(all, machine) - each_s;
}

}  // namespace stretto::collective
