// SPDX-License-Identifier: BSD-3-Clause
#include "network/link_shares.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace stretto::network {
namespace {

constexpr double relative_tie = 1e-9;  // shares with a smaller relative difference are equal

std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace

/// The route goes along the first dimension first, in the shorter direction. On a switch it has one link to
/// it and one from it.
std::vector<LinkShares::Name> LinkShares::route(int sender, int receiver) const {
  if (torus_.empty()) return {{sender, 0, 1}, {receiver, 0, -1}};
  std::vector<Name> names;
  int stride = 1;
  int here = sender;
  for (int dimension = 0; dimension < static_cast<int>(torus_.size()); ++dimension) {
    const int width = torus_[at(dimension)];
    int place = here / stride % width;
    const int to = receiver / stride % width;
    const int ahead = (to - place + width) % width;
    // At half the width it goes up, except from the middle down to 0 (SimGrid's TorusZone).
    const bool up = 2 * ahead < width || (2 * ahead == width && (to > place || place > width / 2));
    for (int hops = std::min(ahead, width - ahead); hops > 0; --hops) {
      names.emplace_back(here, dimension, up ? 1 : -1);
      const int step = (place + (up ? 1 : width - 1)) % width;
      here += (step - place) * stride;
      place = step;
    }
    stride *= width;
  }
  if (names.empty()) names.emplace_back(sender, -1, receiver);  // both ranks are on one node
  return names;
}

const std::vector<int>& LinkShares::add(int number, int sender, int receiver) {
  if (paths_.size() <= at(number)) {
    paths_.resize(at(number) + 1);
    is_touched_.resize(paths_.size());
  }
  std::vector<int>& path = paths_[at(number)];
  for (const Name& name : route(sender, receiver)) {
    const int link = numbers_.try_emplace(name, static_cast<int>(numbers_.size())).first->second;
    path.push_back(link);
    if (on_link_.size() <= at(link)) {
      on_link_.resize(at(link) + 1);
      link_is_touched_.resize(on_link_.size());
      free_.resize(on_link_.size());
      weights_.resize(on_link_.size());
      unassigned_.resize(on_link_.size());
    }
    on_link_[at(link)].push_back(number);
  }
  return path;
}

std::vector<int> LinkShares::remove(int number) {
  std::vector<int> path = std::move(paths_[at(number)]);
  paths_[at(number)].clear();
  for (const int link : path) std::erase(on_link_[at(link)], number);
  return path;
}

/// Collects the messages on these links, the other links of these messages, and so on.
void LinkShares::touch(std::span<const int> links) {
  touched_links_.clear();
  touched_.clear();
  const auto add_link = [this](int link) {
    if (link_is_touched_[at(link)]) return;
    link_is_touched_[at(link)] = true;
    touched_links_.push_back(link);
  };
  std::ranges::for_each(links, add_link);
  std::size_t next = 0;
  while (next < touched_links_.size()) {  // the loop appends to the list
    for (const int message : on_link_[at(touched_links_[next++])]) {
      if (is_touched_[at(message)]) continue;
      is_touched_[at(message)] = true;
      touched_.push_back(message);
      std::ranges::for_each(paths_[at(message)], add_link);
    }
  }
}

std::vector<std::pair<int, double>> LinkShares::shares(std::span<const int> links) {
  touch(links);
  for (const int link : touched_links_) {
    const std::vector<int>& messages = on_link_[at(link)];
    free_[at(link)] = 1;
    unassigned_[at(link)] = static_cast<int>(messages.size());
    weights_[at(link)] = 0;
    for (const int message : messages) weights_[at(link)] += weight(message);
    link_is_touched_[at(link)] = false;
  }
  std::vector<std::pair<int, double>> found;
  std::vector<int> full;
  while (found.size() < touched_.size()) {
    double least = std::numeric_limits<double>::infinity();
    for (const int link : touched_links_) {
      if (unassigned_[at(link)] > 0) least = std::min(least, free_[at(link)] / weights_[at(link)]);
    }
    full.clear();
    std::ranges::copy_if(touched_links_, std::back_inserter(full), [&](int link) {
      return unassigned_[at(link)] > 0 && free_[at(link)] / weights_[at(link)] <= least * (1 + relative_tie);
    });
    for (const int link : full) {
      for (const int message : on_link_[at(link)]) {
        if (!is_touched_[at(message)]) continue;
        is_touched_[at(message)] = false;
        const double share = least * weight(message);
        found.emplace_back(message, share);
        for (const int one : paths_[at(message)]) {
          free_[at(one)] -= share;
          weights_[at(one)] -= weight(message);
          --unassigned_[at(one)];
        }
      }
    }
  }
  return found;
}

}  // namespace stretto::network
