// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/run_document.hpp"

#include <nlohmann/json.hpp>

namespace stretto::tools {

std::string run_document(std::string_view kernel, const kernel::Request& request,
                         const kernel::RunResult& result, int ranks) {
  nlohmann::ordered_json json{{"kernel", kernel},
                              {"class", request.class_name},
                              {"variant", request.variant},
                              {"transport", request.transport},
                              {"ranks", ranks},
                              {"time_s", result.time_s},
                              {"mops", result.mops},
                              {"verified", result.verified}};
  json["timers"] = nlohmann::ordered_json::object();
  for (const auto& [name, seconds] : result.timers_s) json["timers"][name] = seconds;
  json["messages"] = result.messages;
  for (const auto& [name, member] : result.members) {
    std::visit([&json, &name = name](const auto& value) { json[name] = value; }, member);
  }
  return json.dump();
}

}  // namespace stretto::tools
