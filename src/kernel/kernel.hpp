// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of `stretto run` is: a name, what it may be asked for, and a function that solves, times and
// verifies. Knows nothing of command lines and files.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stretto::kernel {

/// A named choice, and a sentence for people.
struct Named {
  std::string_view name;
  std::string_view about;
};

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
struct Outcome {
  double time_s =
      0;            ///< the timed part: last end minus first start over the ranks, or the slowest rank's time
  double mops = 0;  ///< million operations of the problem a second
  bool verified = false;
  std::vector<std::pair<std::string, double>> timers_s;  ///< the parts of it, each the largest of a rank
  std::int64_t messages = 0;  ///< that all ranks started in the timed part; of collectives: calls
  std::vector<std::pair<std::string, Member>> more;  ///< members of the kernel's own
};

struct Kernel {
  std::string_view name;
  std::string_view about;
  std::span<const std::string_view> classes;     ///< smallest first; the first is the default; may be none
  std::span<const std::string_view> variants;    ///< the first is the default
  std::span<const std::string_view> transports;  ///< the first is the default
  std::span<const Named> options;
  /// A variant that is a name with a number behind it, such as `chunks=8`, begins with this; may be empty.
  std::string_view variant_prefix;
  /// Collective over `communicator`. Throws std::invalid_argument, on all ranks alike, for what the user must
  /// mend.
  Outcome (*run)(const Request&, MPI_Comm communicator);
};

}  // namespace stretto::kernel
