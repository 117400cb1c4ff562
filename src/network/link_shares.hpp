// SPDX-License-Identifier: BSD-3-Clause
// Which links a message takes, on a torus or through a switch, and the share of them that each message has.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::network {

/// The widths of a torus, rank i at node i, the first dimension fastest; none: all nodes on one switch.
using Torus = std::vector<int>;

class LinkShares {
 public:
  explicit LinkShares(Torus torus) : torus_(std::move(torus)) {}

  /// Message `number` (from 0 on) begins to share the links from one node to the other. Returns these links.
  const std::vector<int>& add(int number, int sender, int receiver);
  /// The message has arrived. Returns the links that it leaves.
  std::vector<int> remove(int number);

  /// The shares, of a link that is one, of all messages that depend on what happens on `links`; such that
  /// none can have more without another's having less, where one that takes k links counts 1/k of one that
  /// takes one: round trips over more links let less be under way (SimGrid's CM02, as TCP).
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
  std::vector<std::vector<int>> on_link_;  // messages
  std::vector<std::vector<int>> paths_;    // of each message; empty: not under way
  // Buffers of shares(): members, so that no event allocates.
  std::vector<int> touched_links_;
  std::vector<int> touched_;
  std::vector<bool> link_is_touched_;
  std::vector<bool> is_touched_;
  std::vector<double> free_;
  std::vector<double> wanted_;
  std::vector<int> left_;
};

}  // namespace stretto::network
