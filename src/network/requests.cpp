// SPDX-License-Identifier: BSD-3-Clause
#include "network/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

#include "network/json_depth.hpp"

namespace stretto::network {
namespace {

constexpr std::array kinds_of_network{
    RequestKind{"collective-calls", "times of flat collectives and of phases", &answer_collective_calls},
    RequestKind{"collective-choices", "flat, which grid, or undecided", &answer_collective_choices},
    RequestKind{"collective-factors", "the factors of terms, for a fit", &answer_collective_factors},
    RequestKind{"collective-grids", "times of two phases on a grid", &answer_collective_grids},
    RequestKind{"costs", "the costs of messages of some sizes on a path", &answer_costs},
    RequestKind{"goal", "a schedule of FT or SPMV as GOAL text", &answer_goal},
    RequestKind{"jacobi", "iterations of the Jacobi method", &answer_jacobi},
    RequestKind{"network", "the network of a profile's sends, for a replay", &answer_network},
    RequestKind{"path", "what the models take from a profile for a path", &answer_path},
    RequestKind{"schedule", "a schedule of FT or SPMV: messages, times, closed forms", &answer_schedule},
};

}  // namespace

Json answer_one(std::span<const RequestKind> kinds, const RequestMembers& request) {
  const std::string name = request.text("kind");
  const auto kind = std::ranges::find(kinds, name, &RequestKind::name);
  if (kind == kinds.end()) {
    std::string known;
    for (const RequestKind& one : kinds) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
    request.refuse("kind", fmt::format("unknown '{}'; choose from {}", name, known));
  }
  return kind->answer(request);
}

std::span<const RequestKind> request_kinds() { return kinds_of_network; }

Json parsed(const std::string& text, const std::string& name) {
  if (nests_too_deep(text)) throw InvalidRequest(name + ": is nested too deeply");
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw InvalidRequest(name + " is no JSON document: " + error.what());
  }
}

Json answer_all(const Json& document, Answer answer) {
  if (!document.is_object() || !document.contains("requests") || !document["requests"].is_array()) {
    throw InvalidRequest(R"(give a document {"requests": [...]})");
  }
  Json answers = Json::array();
  for (const Json& request : document["requests"]) {
    answers.push_back(answer({request, fmt::format("requests[{}]", answers.size())}));
  }
  return {{"answers", std::move(answers)}};
}

void answer_lines(Answer answer) {
  for (std::string line; std::getline(std::cin, line);) {
    std::puts(answer_all(parsed(line, "the line"), answer).dump().c_str());
    std::fflush(stdout);
  }
}

}  // namespace stretto::network
