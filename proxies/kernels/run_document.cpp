// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/run_document.hpp"

#include <nlohmann/json.hpp>

namespace stretto::tools {
namespace {

using Json = nlohmann::ordered_json;

Json trial_json(const kernel::Trial& trial) {
  Json json{{"variant", trial.alternative.variant}, {"transport", trial.alternative.transport}};
  for (const auto& [name, value] : trial.alternative.options) json[name] = value;
  json["measured_s"] = trial.time_s;
  return json;
}

Json choice_json(const kernel::Choice& choice) {
  Json json{{"measured_s", choice.trials[choice.chosen].time_s},
            {"without_overlap", nullptr},
            {"candidates", Json::array()}};
  if (choice.fastest_plain) json["without_overlap"] = trial_json(choice.trials[*choice.fastest_plain]);
  for (const kernel::Trial& trial : choice.trials) json["candidates"].push_back(trial_json(trial));
  return json;
}

}  // namespace

std::string run_document(std::string_view kernel, const kernel::Request& request,
                         const kernel::RunResult& result, int ranks) {
  Json json{{"kernel", kernel},
            {"class", request.class_name},
            {"variant", request.variant},
            {"transport", request.transport},
            {"ranks", ranks},
            {"time_s", result.time_s},
            {"mops", result.mops},
            {"verified", result.verified}};
  json["timers"] = Json::object();
  for (const auto& [name, seconds] : result.timers_s) json["timers"][name] = seconds;
  json["messages"] = result.messages;
  for (const auto& [name, member] : result.members) {
    std::visit([&json, &name = name](const auto& value) { json[name] = value; }, member);
  }
  if (result.choice) json["choice"] = choice_json(*result.choice);
  return json.dump();
}

}  // namespace stretto::tools
