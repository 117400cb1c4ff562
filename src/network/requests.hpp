// SPDX-License-Identifier: BSD-3-Clause
// The requests that `stretto-model` answers: `{"requests":[{"kind":...},...]}` becomes `{"answers":[...]}`
// in the same order. Each kind has a function of its own.
//
// To add a kind: write it in `request_NAME.cpp`, declare its function below, add its line to the table of
// `requests.cpp` and its file to CMakeLists.txt.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "network/request_members.hpp"

namespace stretto::network {

/// Answers one request of a document.
using Answer = Json (*)(const RequestMembers& request);

struct RequestKind {
  std::string_view name;
  std::string_view what;  ///< for the help of `stretto-model`
  Answer answer;
};

/// All kinds, by name.
[[nodiscard]] std::span<const RequestKind> request_kinds();

/// The answer to a request of any of `kinds`. Throws InvalidRequest.
[[nodiscard]] Json answer_one(std::span<const RequestKind> kinds, const RequestMembers& request);

/// The document of a text, which `name` says the source of. Throws InvalidRequest.
[[nodiscard]] Json parsed(const std::string& text, const std::string& name);

/// The answers to all requests of a document. Throws InvalidRequest for the first invalid one.
[[nodiscard]] Json answer_all(const Json& document, Answer answer);

/// Reads a document from each line of the standard input, and prints its answers before it reads the next.
void answer_lines(Answer answer);

// One function per kind.
Json answer_collective_calls(const RequestMembers& request);
Json answer_collective_choices(const RequestMembers& request);
Json answer_collective_factors(const RequestMembers& request);
Json answer_collective_grids(const RequestMembers& request);
Json answer_costs(const RequestMembers& request);
Json answer_goal(const RequestMembers& request);
Json answer_jacobi(const RequestMembers& request);
Json answer_network(const RequestMembers& request);
Json answer_path(const RequestMembers& request);
Json answer_schedule(const RequestMembers& request);

}  // namespace stretto::network
