// SPDX-License-Identifier: BSD-3-Clause
// The ranks that share a region: all of a runtime's, or some of them.
#pragma once

#include <memory>
#include <span>

namespace stretto {

namespace rma {
struct TeamState;
}  // namespace rma

class Runtime;

class Team {
 public:
  /// `ranks` of the runtime, in the order in which they are ranks of the team. Collective over these.
  /// Throws ArgumentError when one is out of range or twice there, or when the caller is not among them.
  Team(const Runtime& runtime, std::span<const int> ranks);

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// The rank in the runtime of the team's rank `member`.
  [[nodiscard]] int runtime_rank(int member) const;
  /// All members have come, and all that this rank has sent to anybody is done. Collective.
  void barrier() const;

  /// For the runtime's own use.
  explicit Team(std::shared_ptr<rma::TeamState> state) : state_(std::move(state)) {}
  [[nodiscard]] const std::shared_ptr<rma::TeamState>& state() const { return state_; }

 private:
  std::shared_ptr<rma::TeamState> state_;
};

}  // namespace stretto
