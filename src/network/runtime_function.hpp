// SPDX-License-Identifier: BSD-3-Clause
// One runtime function of a profile: its terms, and the ranges of p and b for which it holds.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stretto/collective_form.hpp>
#include <vector>

#include "network/member_factor.hpp"

namespace stretto::network {

/// The phase in the row groups (leader), and that in the column groups (concurrent).
enum class GridPhase : std::uint8_t { leader, concurrent };

/// Whether all members of a group are on one node.
enum class Locality : std::uint8_t { same_node, remote };

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
  std::optional<Locality> locality;  ///< valid for these groups only
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
