// SPDX-License-Identifier: BSD-3-Clause
// The costs of a message on the simulated machines of the two-phase paper (platforms/), and the runtime
// functions that a fit finds there; for tests.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "network/runtime_functions.hpp"

namespace stretto::network {

inline const MessageCosts clic{.overhead_s = 10e-6,
                               .latency_s = 40e-6,
                               .gap_s_per_byte = 1 / 11.15e6,
                               .eager_limit_bytes = 65535,
                               .torus = {}};
inline const MessageCosts t3e{.overhead_s = 6.95e-6,
                              .latency_s = 0.1e-6,
                              .gap_s_per_byte = 1 / 325e6,
                              .eager_limit_bytes = 65535,
                              .torus = {8, 8, 8}};

/// Functions with overheads, latencies per stage and link times; allreduce and allgather are sums.
inline std::vector<RuntimeFunction> known_functions(const MessageCosts& costs,
                                                    Algorithm algorithm = Algorithm::reference) {
  constexpr std::uint64_t largest = 10'000'000;
  const auto limit = static_cast<std::uint64_t>(costs.eager_limit_bytes);
  std::vector<RuntimeFunction> functions;
  for (const Operation operation : {Operation::broadcast, Operation::reduce, Operation::gather}) {
    for (const auto& [links, sizes] :
         {std::pair{MemberFactor::links_eager, Bounds<std::uint64_t>{1, limit}},
          std::pair{MemberFactor::links_serialised, Bounds<std::uint64_t>{limit + 1, largest}}}) {
      functions.push_back(
          {.operation = operation,
           .algorithm = algorithm,
           .members = {2, 96},
           .size_bytes = sizes,
           .terms = {{.of_p = MemberFactor::overheads, .coefficient = costs.overhead_s},
                     {.of_p = MemberFactor::ceil_log2, .coefficient = costs.latency_s},
                     {.of_p = links, .of_bytes = true, .coefficient = costs.gap_s_per_byte}}});
    }
  }
  const auto add_sum = [&](Operation operation, std::vector<Summand> parts) {
    functions.push_back({.operation = operation,
                         .algorithm = algorithm,
                         .members = {2, 96},
                         .size_bytes = {1, largest},
                         .sum_of = std::move(parts)});
  };
  add_sum(Operation::allreduce, {{Operation::reduce, false}, {Operation::broadcast, false}});
  add_sum(Operation::allgather, {{Operation::gather, false}, {Operation::broadcast, true}});
  return functions;
}

}  // namespace stretto::network
