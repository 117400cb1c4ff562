// SPDX-License-Identifier: BSD-3-Clause
// The request to a kernel and its result. The header does not include MPI, so that code that prints results
// needs no MPI.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/choice.hpp"

namespace stretto::kernel {

/// A validated request: class, variant, transport and options are ones that the kernel has.
struct Request {
  std::string class_name;
  std::string variant;
  std::string transport;
  std::map<std::string, std::string> options;

  /// The value of an option, or `otherwise` where it was not given.
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const;
  /// The value as an integer. Throws std::invalid_argument that names the option unless it is an integer from
  /// `low` to `high`.
  [[nodiscard]] std::int64_t whole(const std::string& name, std::int64_t otherwise, std::int64_t low,
                                   std::int64_t high) const;
};

using Member = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

/// The result of a run. Only rank 0's is printed; the other ranks need not have the same.
struct RunResult {
  /// The timed part: last end minus first start over the ranks, or the slowest rank's time.
  double time_s = 0;
  double mops = 0;  ///< million operations per second, as the problem counts them
  bool verified = false;
  /// Parts of the time, each the maximum over the ranks.
  std::vector<std::pair<std::string, double>> timers_s;
  std::int64_t messages = 0;  ///< messages that all ranks started in the timed part; for collectives, calls
  std::vector<std::pair<std::string, Member>> members;  ///< further members that only this kernel has
  std::optional<Choice> choice;                         ///< where the run chose its variant
};

}  // namespace stretto::kernel
