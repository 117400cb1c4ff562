// SPDX-License-Identifier: BSD-3-Clause
#include "tools/run_document.hpp"

#include <nlohmann/json.hpp>

namespace stretto::tools {

std::string run_document(std::string_view kernel, const kernel::Request& request,
                         const kernel::Outcome& outcome, int ranks) {
  nlohmann::ordered_json json{{"kernel", kernel},
                              {"class", request.class_name},
                              {"variant", request.variant},
                              {"transport", request.transport},
                              {"ranks", ranks},
                              {"time_s", outcome.time_s},
                              {"mops", outcome.mops},
                              {"verified", outcome.verified}};
  json["timers"] = nlohmann::ordered_json::object();
  for (const auto& [name, seconds] : outcome.timers_s) json["timers"][name] = seconds;
  json["messages"] = outcome.messages;
  for (const auto& [name, member] : outcome.more) {
    std::visit([&json, &name = name](const auto& value) { json[name] = value; }, member);
  }
  return json.dump();
}

}  // namespace stretto::tools
