// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_definitions.hpp"

namespace stretto::replay {

void TraceDefinitions::take(const record::Record& record, std::string_view payload) {
  switch (record.request) {
    case record::module:
      modules[record.peer] = payload;
      break;
    case record::site:
      sites[record.peer] = {module_of(record.tag), record.extra};
      break;
    case record::variable:
      variables[record.peer] = {record.count, {module_of(record.tag), record.extra}};
      break;
    default:
      break;
  }
}

std::string TraceDefinitions::module_of(std::int32_t number) const {
  const auto found = modules.find(number);
  return found == modules.end() ? std::string() : found->second;
}

}  // namespace stretto::replay
