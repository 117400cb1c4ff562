// SPDX-License-Identifier: BSD-3-Clause
// What a kernel is asked for, and what comes of it. Knows no MPI, so that what prints it need not either.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stretto::kernel {

/// What was asked for. Class, variant and transport are ones that the kernel has; options only those that it
/// has.
struct Request {
  std::string class_name;
  std::string variant;
  std::string transport;
  std::map<std::string, std::string> options;

  /// The text of an option, or `otherwise` where it was not given.
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const;
  /// The same as a whole number. Throws std::invalid_argument that names the option unless it is one from
  /// `low` to `high`.
  [[nodiscard]] std::int64_t whole(const std::string& name, std::int64_t otherwise, std::int64_t low,
                                   std::int64_t high) const;
};

using Member = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

/// What came of it, the same on all ranks where it matters: only rank 0's is printed.
struct RunResult {
  double time_s =
      0;            ///< the timed part: last end minus first start over the ranks, or the slowest rank's time
  double mops = 0;  ///< million operations of the problem a second
  bool verified = false;
  std::vector<std::pair<std::string, double>> timers_s;  ///< the parts of it, each the largest of a rank
  std::int64_t messages = 0;  ///< that all ranks started in the timed part; of collectives: calls
  std::vector<std::pair<std::string, Member>> more;  ///< members of the kernel's own
};

}  // namespace stretto::kernel
