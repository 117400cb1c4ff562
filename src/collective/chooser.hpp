// SPDX-License-Identifier: BSD-3-Clause
// The settings of stretto/collective_choice.hpp for the process, runtime functions and forced forms, and the
// decisions that follow from them.
#pragma once

#include <map>
#include <optional>
#include <stretto/collective_choice.hpp>

#include "collective/communicator_state.hpp"
#include "collective/node_layout.hpp"
#include "network/runtime_functions.hpp"

namespace stretto::collective {

class Chooser {
 public:
  /// The instance of this process.
  static Chooser& instance();

  /// Takes the functions, and learns the nodes of the communicator's ranks where they depend on these.
  /// Collective.
  void set_functions(network::RuntimeFunctions functions, MPI_Comm communicator);
  void set_algorithm(Algorithm algorithm);
  void force(std::string_view text);

  [[nodiscard]] Algorithm algorithm() const { return algorithm_; }
  [[nodiscard]] const network::RuntimeFunctions& functions() const { return functions_; }

  /// The decision for this call, made once per operation and size class.
  [[nodiscard]] const Decision& decision(CommunicatorState& state, Operation operation,
                                         std::uint64_t size_bytes) const;
  /// The form that carries out a decision.
  [[nodiscard]] Form form_of(const Decision& decision) const {
    return {.grid = decision.grid, .algorithm = algorithm_, .segments = decision.segments};
  }

 private:
  [[nodiscard]] Decision decide_for(const network::RuntimeFunctions& functions, int ranks,
                                    Operation operation, std::uint64_t size_bytes) const;
  [[nodiscard]] Decision forced_decision(const network::RuntimeFunctions& functions, const Grid& grid,
                                         int ranks, Operation operation, std::uint64_t size_bytes) const;

  network::RuntimeFunctions functions_;
  NodeLayout nodes_;
  Algorithm algorithm_ = Algorithm::library;
  std::optional<Grid> forced_for_all_;
  std::map<Operation, Grid> forced_;
  int generation_ = 0;  ///< incremented by every change that affects decisions
};

}  // namespace stretto::collective
