// SPDX-License-Identifier: BSD-3-Clause
// The links that a message takes on a torus or through a switch, and the share of their bandwidth that it
// gets.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::network {

/// The widths of a torus. Rank i is at node i, and the first dimension varies fastest. Empty: all nodes are
/// on one switch.
using Torus = std::vector<int>;

class LinkShares {
 public:
  explicit LinkShares(Torus torus) : torus_(std::move(torus)) {}

  /// Adds message `number` (from 0 on) to the links between two nodes. Returns these links.
  const std::vector<int>& add(int number, int sender, int receiver);
  /// Removes a message that has arrived. Returns the links that it leaves.
  std::vector<int> remove(int number);

  /// The shares of all messages that depend on these links, as fractions of a link. They are max-min fair
  /// with weights: no share can grow without another one's shrinking. A message over k links has the weight
  /// 1/k, because a longer round trip allows less data in flight (SimGrid's CM02, like TCP).
  [[nodiscard]] std::vector<std::pair<int, double>> shares(std::span<const int> links);

 private:
  using Name = std::tuple<int, int, int>;  // node, dimension, direction

  [[nodiscard]] std::vector<Name> route(int sender, int receiver) const;
  void touch(std::span<const int> links);
  [[nodiscard]] double weight(int message) const {
    return 1.0 / static_cast<double>(paths_[static_cast<std::size_t>(message)].size());
  }

  Torus torus_;
  std::map<Name, int> numbers_;
  std::vector<std::vector<int>> on_link_;  // the messages on each link
  std::vector<std::vector<int>> paths_;    // links of each message; empty: not in flight
  // Buffers of shares(), kept as members so that no event allocates.
  std::vector<int> touched_links_;
  std::vector<int> touched_;
  std::vector<bool> link_is_touched_;
  std::vector<bool> is_touched_;
  std::vector<double> free_;
  std::vector<double> weights_;
  std::vector<int> unassigned_;
};

}  // namespace stretto::network
