// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions: how long a collective operation takes on p ranks, b bytes large. Those of a profile, as
// docs/formats.md defines them. Choosing by them is in collective_choice.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <stretto/collective_form.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "network/contention.hpp"
#include "network/message_costs.hpp"

namespace stretto::network {

/// The phase in the row groups, and the one in the column groups.
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
  // These depend on the messages of a reference algorithm, and on which of them are concurrent
  // (contention.hpp):
  overheads,
  links_eager,
  links_serialised,
};

/// Their names in a profile.
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

/// For a factor of p alone, not for one that depends on messages.
[[nodiscard]] double value_of(MemberFactor factor, int p);

/// For any factor; p are the members of a group of `call`.
[[nodiscard]] double value_of(MemberFactor factor, const GroupedOperation& call, const Torus& torus);

struct RuntimeTerm {
  MemberFactor of_p = MemberFactor::one;
  bool of_bytes = false;   ///< times b
  double coefficient = 0;  ///< s, or s a byte
};

/// One of several operations with times that add up (table 1: allreduce, allgather).
struct Summand {
  Operation operation = Operation::broadcast;
  bool of_root = false;  ///< at p b instead of b
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
  std::optional<GridPhase> phase;    ///< holds for this phase only
  Bounds<int> members;               ///< p
  Bounds<std::uint64_t> size_bytes;  ///< b
  Bounds<std::uint64_t> root_bytes;  ///< p b
  std::vector<RuntimeTerm> terms;
  std::vector<Summand> sum_of;           ///< instead of terms
  std::optional<double> phases_overlap;  ///< instead of both
  std::optional<double> deviation;       ///< absent: 0, of a sum the mean of its parts weighted by time
};

/// What a call in two phases takes beyond their sum, on p1 x p2.
struct CouplingTerm {
  MemberFactor of_p1 = MemberFactor::one;
  MemberFactor of_p2 = MemberFactor::one;
  bool of_bytes = false;
  double coefficient = 0;  ///< s, or s a byte; may be negative
};

struct PhaseCoupling {
  Operation operation = Operation::broadcast;
  Algorithm algorithm = Algorithm::library;
  Bounds<int> members;               ///< p1 p2
  Bounds<std::uint64_t> size_bytes;  ///< b
  std::vector<CouplingTerm> terms;
};

/// The predicted time of a call or of a phase, or why there is none.
struct CallTime {
  double time_s = 0;
  double deviation = 0;  ///< relative: half of a 95 % interval
  std::string unknown;   ///< why there is no prediction; empty where there is one

  [[nodiscard]] bool known() const { return unknown.empty(); }
};

/// One after the other. The deviation is the mean weighted by time: phases of one machine err alike. Unknown
/// where one of them is, for its reason.
[[nodiscard]] CallTime added(std::span<const CallTime> calls);

/// The sum and `beyond_s`, but at least the longest of them.
[[nodiscard]] CallTime in_sequence(std::span<const CallTime> calls, double beyond_s);

/// `times` b, or the largest number there is.
[[nodiscard]] std::uint64_t bytes_of(int times, std::uint64_t size_bytes);

/// A profile that is not what docs/formats.md allows; the message names the member.
class ProfileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The `torus` of a profile. Throws ProfileError.
[[nodiscard]] Torus read_torus(const nlohmann::json& widths);

class RuntimeFunctions {
 public:
  RuntimeFunctions() = default;
  explicit RuntimeFunctions(std::vector<RuntimeFunction> functions, std::vector<PhaseCoupling> couplings = {},
                            Torus torus = {})
      : functions_(std::move(functions)),
        couplings_(std::move(couplings)),
        torus_(std::move(torus)),
        costs_(message_costs_of(functions_, torus_)) {}

  /// The `collectives`, `couplings` and `torus` of a profile. Throws ProfileError.
  [[nodiscard]] static RuntimeFunctions from_profile(const nlohmann::json& profile);

  [[nodiscard]] std::size_t size() const { return functions_.size(); }

  /// The operation on p ranks, flat (no phase) or as a phase of one on a grid, with groups placed as
  /// `placement` says. Unknown where no function holds for that p and b, or where it gives zero or less.
  [[nodiscard]] CallTime predict(Operation operation, Algorithm algorithm, std::optional<GridPhase> phase,
                                 int p, std::uint64_t size_bytes, const GroupPlacement& placement = {}) const;

  /// Which fraction of the shorter phase is hidden under the longer when the message is cut; nothing: it is
  /// never cut.
  [[nodiscard]] std::optional<double> phases_overlap(Operation operation, Algorithm algorithm, int p,
                                                     std::uint64_t size_bytes) const;

  /// To be added to the sum of the phases on this grid, in seconds; may be negative.
  [[nodiscard]] double coupling_s(Operation operation, Algorithm algorithm, const Grid& grid,
                                  std::uint64_t size_bytes) const;

  /// What operations take beyond their sum when they follow each other, in seconds; sizes in units of
  /// `size_bytes`. Zero where their messages are not known.
  [[nodiscard]] double beyond_sum_s(Algorithm algorithm,
                                    const std::vector<std::vector<GroupedOperation>>& operations,
                                    std::uint64_t size_bytes) const;

  /// What a message of this algorithm takes; nothing where that is not known.
  [[nodiscard]] std::optional<MessageCosts> message_costs(Algorithm algorithm) const;

 private:
  [[nodiscard]] const RuntimeFunction* find(Operation operation, Algorithm algorithm,
                                            std::optional<GridPhase> phase, int p,
                                            std::uint64_t size_bytes) const;
  [[nodiscard]] CallTime predict_sum(const RuntimeFunction& function, std::optional<GridPhase> phase, int p,
                                     std::uint64_t size_bytes, const GroupPlacement& placement) const;

  std::vector<RuntimeFunction> functions_;
  std::vector<PhaseCoupling> couplings_;
  Torus torus_;
  std::optional<MessageCosts> costs_;
};

}  // namespace stretto::network
