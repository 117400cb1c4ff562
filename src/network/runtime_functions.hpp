// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions: the time of a collective operation on p ranks with b bytes, as a profile defines them
// (docs/formats.md). collective_choice.hpp chooses by them.
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

/// The predicted time of a call or of a phase, or the reason why there is none.
struct CallTime {
  double time_s = 0;
  double deviation = 0;  ///< relative: half of a 95 % interval
  std::string unknown_reason;  ///< why there is no prediction; empty where there is one

  [[nodiscard]] bool known() const { return unknown_reason.empty(); }
};

/// The time of consecutive calls. The deviation is the mean weighted by time, because the errors of one
/// machine are correlated. Unknown where a call is unknown, with its reason.
[[nodiscard]] CallTime added(std::span<const CallTime> calls);

/// The sum of the calls plus `excess_s`, but at least the longest call.
[[nodiscard]] CallTime in_sequence(std::span<const CallTime> calls, double excess_s);

/// `times` b, saturating.
[[nodiscard]] std::uint64_t bytes_of(int times, std::uint64_t size_bytes);

/// A profile that violates docs/formats.md; the message names the member.
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

  /// The time of the operation on p ranks: flat (no phase), or a phase on a grid with groups placed by
  /// `placement`. Unknown where no function holds for this p and b, or where the function gives zero or
  /// less.
  [[nodiscard]] CallTime predict(Operation operation, Algorithm algorithm, std::optional<GridPhase> phase,
                                 int p, std::uint64_t size_bytes, const GroupPlacement& placement = {}) const;

  /// The fraction of the shorter phase that overlaps with the longer one in a segmented call; nothing:
  /// calls are never segmented.
  [[nodiscard]] std::optional<double> phases_overlap(Operation operation, Algorithm algorithm, int p,
                                                     std::uint64_t size_bytes) const;

  /// The seconds to add to the sum of the phases on this grid; may be negative.
  [[nodiscard]] double coupling_s(Operation operation, Algorithm algorithm, const Grid& grid,
                                  std::uint64_t size_bytes) const;

  /// The time of consecutive operations beyond the sum of their times, in seconds; sizes are in units of
  /// `size_bytes`. Zero where their messages are not known.
  [[nodiscard]] double makespan_excess_s(Algorithm algorithm,
                                    const std::vector<std::vector<GroupedOperation>>& operations,
                                    std::uint64_t size_bytes) const;

  /// The costs of a message of this algorithm; nothing where they are not known.
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
