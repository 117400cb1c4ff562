// SPDX-License-Identifier: BSD-3-Clause
// One runtime function of a profile: its terms, and the ranges of p and b for which it holds.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <stretto/collective_form.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "network/contention.hpp"

namespace stretto::network {

/// The phase in the row groups (leader), and that in the column groups (concurrent).
enum class GridPhase : std::uint8_t { leader, concurrent };

/// The factor of p in a term.
enum class MemberFactor : std::uint8_t {
  one,
  p,
  p_minus_1,
  log2,
  ceil_log2,
  floor_log2_less_1,  ///< floor(log2(p - 1)): table 1, reduce
  p_log2,
  p_ceil_log2,
  tree_sends,  ///< sends on the longest path of a binomial tree: n (n + 1) / 2 for p = 2^n
  // These depend on the messages of a reference algorithm and on their concurrency (contention.hpp):
  overheads,
  links_eager,
  links_serialised,
};

/// The names of the factors in a profile.
inline constexpr std::array<std::pair<std::string_view, MemberFactor>, 12> member_factors = {
    {{"1", MemberFactor::one},
     {"p", MemberFactor::p},
     {"p-1", MemberFactor::p_minus_1},
     {"log2-p", MemberFactor::log2},
     {"ceil-log2-p", MemberFactor::ceil_log2},
     {"floor-log2-(p-1)", MemberFactor::floor_log2_less_1},
     {"p-log2-p", MemberFactor::p_log2},
     {"p-ceil-log2-p", MemberFactor::p_ceil_log2},
     {"tree-sends", MemberFactor::tree_sends},
     {"overheads", MemberFactor::overheads},
     {"links-eager", MemberFactor::links_eager},
     {"links-in-turn", MemberFactor::links_serialised}}};

[[nodiscard]] bool depends_on_messages(MemberFactor factor);

/// The value of a factor that depends on p alone, not on messages.
[[nodiscard]] double value_of(MemberFactor factor, int p);

/// The value of any factor; p is the number of members of a group of `call`.
[[nodiscard]] double value_of(MemberFactor factor, const GroupedOperation& call, const Torus& torus);

struct RuntimeTerm {
  MemberFactor of_p = MemberFactor::one;
  bool of_bytes = false;   ///< times b
  double coefficient = 0;  ///< s, or s per byte
};

/// One of several operations, the times of which add up (table 1: allreduce, allgather).
struct Summand {
  Operation operation = Operation::broadcast;
  bool of_root = false;  ///< evaluated at p b instead of b
};

template <typename T>
struct Bounds {
  T low{};
  T high = std::numeric_limits<T>::max();

  [[nodiscard]] bool contains(T value) const { return low <= value && value <= high; }
};

struct RuntimeFunction {
  Operation operation = Operation::broadcast;
  Algorithm algorithm = Algorithm::library;
  std::optional<GridPhase> phase;    ///< valid for this phase only
  Bounds<int> members;               ///< p
  Bounds<std::uint64_t> size_bytes;  ///< b
  Bounds<std::uint64_t> root_bytes;  ///< p b
  std::vector<RuntimeTerm> terms;
  std::vector<Summand> sum_of;           ///< instead of terms
  std::optional<double> phases_overlap;  ///< instead of both
  std::optional<double> deviation;       ///< absent: 0; for a sum the mean of its parts weighted by time
};

/// The time of a two-phase call beyond the sum of its phases, on p1 x p2.
struct CouplingTerm {
  MemberFactor of_p1 = MemberFactor::one;
  MemberFactor of_p2 = MemberFactor::one;
  bool of_bytes = false;
  double coefficient = 0;  ///< s, or s per byte; may be negative
};

struct PhaseCoupling {
  Operation operation = Operation::broadcast;
  Algorithm algorithm = Algorithm::library;
  Bounds<int> members;               ///< p1 p2
  Bounds<std::uint64_t> size_bytes;  ///< b
  std::vector<CouplingTerm> terms;
};

}  // namespace stretto::network
