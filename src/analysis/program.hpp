// SPDX-License-Identifier: BSD-3-Clause
// What the traces of all ranks say of the program: its files, its call sites, and how long the traces are.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/sums.hpp"
#include "replay/trace_definitions.hpp"

namespace stretto::analysis {

struct Program {
  /// The build ids of each file, in hexadecimal digits; none where it has none.
  std::map<std::string, std::set<std::string>> modules;
  /// The callers of the first call at each place, the nearest first; none where they were not recorded.
  std::map<Place, std::vector<Place>> call_sites;
  std::uint64_t records = 0;  ///< without definitions

  /// Adds the definitions of a rank.
  void add(const replay::TraceDefinitions& definitions);
  /// Adds that of another rank.
  void add(const Program& other);
};

}  // namespace stretto::analysis
