// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/program.hpp"

namespace stretto::analysis {

void Program::add(const replay::TraceDefinitions& definitions) {
  for (const auto& [number, path] : definitions.modules) {
    std::set<std::string>& build_ids = modules[path];
    const auto found = definitions.build_ids.find(number);
    if (found != definitions.build_ids.end()) build_ids.insert(found->second);
  }
  for (const auto& [number, place] : definitions.sites) {
    std::vector<Place>& callers = call_sites[place];
    const auto found = definitions.callers.find(number);
    if (callers.empty() && found != definitions.callers.end()) callers = found->second;
  }
}

void Program::add(const Program& other) {
  for (const auto& [path, build_ids] : other.modules) {
    modules[path].insert(build_ids.begin(), build_ids.end());
  }
  for (const auto& [place, found] : other.call_sites) {
    std::vector<Place>& callers = call_sites[place];
    if (callers.empty()) callers = found;
  }
  records += other.records;
}

}  // namespace stretto::analysis
