// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions: the time of a collective operation on p ranks with b bytes, as a profile defines them
// (docs/formats.md). collective_choice.hpp chooses by them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <stretto/collective_form.hpp>
#include <string>
#include <utility>
#include <vector>

#include "network/measured_calls.hpp"
#include "network/message_costs.hpp"
#include "network/runtime_function.hpp"

namespace stretto::network {

/// The predicted time of a call or of a phase, or the reason why there is none.
struct CallTime {
  double time_s = 0;
  double deviation = 0;        ///< relative: half of a 95 % interval
  bool measured = false;       ///< by measured calls, not by a function
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

/// Where the ranks of groups are when `ranks_per_node` consecutive ranks share a node.
[[nodiscard]] Locality locality_of(const GroupPlacement& placement, int members, int ranks_per_node);

class RuntimeFunctions {
 public:
  RuntimeFunctions() = default;
  explicit RuntimeFunctions(std::vector<RuntimeFunction> functions, std::vector<PhaseCoupling> couplings = {},
                            Torus torus = {}, int ranks_per_node = 0, std::vector<MeasuredCall> measured = {})
      : functions_(std::move(functions)),
        couplings_(std::move(couplings)),
        torus_(std::move(torus)),
        ranks_per_node_(ranks_per_node),
        measured_(std::move(measured)),
        measured_ranks_per_node_(ranks_per_node),
        measured_sizes_(sizes_of(measured_)),
        costs_(message_costs_of(functions_, torus_)) {}

  /// The `collectives`, `couplings`, `measured_collectives`, `torus` and `machine.ranks_per_node` of a
  /// profile. Throws ProfileError.
  [[nodiscard]] static RuntimeFunctions from_profile(const nlohmann::json& profile);

  [[nodiscard]] std::size_t size() const { return functions_.size(); }

  /// Whether a function holds only for groups on one node, or only for others, or calls were measured: these
  /// say nothing about ranks that are placed otherwise.
  [[nodiscard]] bool depends_on_nodes() const;

  /// The number of consecutive ranks that share a node; 0: not known, so that no group is on one node.
  [[nodiscard]] int ranks_per_node() const { return ranks_per_node_; }
  /// The same functions for ranks that are placed otherwise.
  [[nodiscard]] RuntimeFunctions placed(int ranks_per_node) const;

  /// The time of the operation on p ranks by a function: flat (no phase), or a phase on a grid with groups
  /// placed by `placement`. Unknown where no function holds for this p and b, or where the function gives
  /// zero or less.
  [[nodiscard]] CallTime predict(Operation operation, Algorithm algorithm, std::optional<GridPhase> phase,
                                 int p, std::uint64_t size_bytes, const GroupPlacement& placement = {}) const;

  /// Whether any calls of exactly this size were measured.
  [[nodiscard]] bool has_measured(std::uint64_t size_bytes) const {
    return std::ranges::binary_search(measured_sizes_, size_bytes);
  }

  /// The time of a flat call, by measured calls where they deviate less than the function.
  [[nodiscard]] CallTime predict_flat(Operation operation, Algorithm algorithm, int p,
                                      std::uint64_t size_bytes) const;

  /// `predicted`, or the time of this whole call by measured ones where that deviates less. Without a grid
  /// the call is flat.
  [[nodiscard]] CallTime or_measured(CallTime predicted, Operation operation, Algorithm algorithm, int p,
                                     std::optional<Grid> grid, std::uint64_t size_bytes) const;

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
                                            std::optional<GridPhase> phase, int p, std::uint64_t size_bytes,
                                            const GroupPlacement& placement) const;
  [[nodiscard]] CallTime predict_sum(const RuntimeFunction& function, std::optional<GridPhase> phase, int p,
                                     std::uint64_t size_bytes, const GroupPlacement& placement) const;

  std::vector<RuntimeFunction> functions_;
  std::vector<PhaseCoupling> couplings_;
  Torus torus_;
  int ranks_per_node_ = 0;
  std::vector<MeasuredCall> measured_;
  int measured_ranks_per_node_ = 0;
  std::vector<std::uint64_t> measured_sizes_;  // ascending
  std::optional<MessageCosts> costs_;
};

}  // namespace stretto::network
