// SPDX-License-Identifier: BSD-3-Clause
// The state behind stretto/collective_choice.hpp: runtime functions, forced forms, and decisions by
// communicator.
#pragma once

#include <map>
#include <optional>
#include <stretto/collective_choice.hpp>

#include "collective/groups.hpp"

namespace stretto::collective {

class Chooser {
 public:
  /// The process's own.
  static Chooser& instance();

  void set_functions(RuntimeFunctions functions);
  void set_algorithm(Algorithm algorithm);
  void force(std::string_view text);

  [[nodiscard]] Algorithm algorithm() const { return algorithm_; }
  [[nodiscard]] const RuntimeFunctions& functions() const { return functions_; }

  /// The decision for this call; decided once for each operation and class of sizes.
  [[nodiscard]] const Decision& decision(Kept& kept, Operation operation, std::uint64_t size_bytes) const;

 private:
  [[nodiscard]] Decision decide_for(int ranks, Operation operation, std::uint64_t size_bytes) const;

  RuntimeFunctions functions_;
  Algorithm algorithm_ = Algorithm::library;
  std::optional<Grid> forced_for_all_;
  std::map<Operation, Grid> forced_;
  int generation_ = 0;  ///< counts what changes decisions
};

}  // namespace stretto::collective
