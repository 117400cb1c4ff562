// SPDX-License-Identifier: BSD-3-Clause
// The names of a Paraver trace: what the values of its events stand for, from the `.pcf` file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "foreign/foreign_call.hpp"

namespace stretto::foreign {

/// What a value of an event of calls stands for, and what its name says of its messages.
struct ParaverFunction {
  const Function* mpi = nullptr;
  std::size_t sends = 0;     ///< messages at most
  std::size_t receives = 0;  ///< messages at most
  bool is_blocking = true;   ///< what it moves ends in it
  std::string operation;     ///< without `MPI_` and `I`, in lower case
};

class ParaverNames {
 public:
  /// Reads the file next to a trace, `.prv` or `.prv.gz`. Throws Damaged.
  void read(std::filesystem::path trace);
  const ParaverFunction& function(std::int64_t kind, std::int64_t value);
  /// A call site; null: it is not known.
  const std::string* place(std::int64_t caller, std::int64_t line);

 private:
  using Value = std::pair<std::int64_t, std::int64_t>;  // of an event's type
  [[nodiscard]] std::string_view name(const Value& value) const;
  [[nodiscard]] std::string named_place(std::int64_t caller, std::int64_t line) const;

  std::map<Value, std::string> values_;
  Functions functions_;
  Texts texts_;
  std::map<Value, ParaverFunction> known_functions_;
  std::map<Value, const std::string*> known_places_;  // by caller and line
};

}  // namespace stretto::foreign
