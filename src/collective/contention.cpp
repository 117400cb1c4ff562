// SPDX-License-Identifier: BSD-3-Clause
#include "collective/contention.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <tuple>

namespace stretto::collective {
namespace {

constexpr int most_linear = 4;  // LAM: linear up to four ranks
constexpr double done = 1e-9;   // of a message

/// From a member to another once those `after` are there, which are places in the list.
struct Message {
  int sender = 0;
  int receiver = 0;
  std::vector<int> after;
};

/// In stage 2^k the first 2^k ranks send to the next 2^k.
Message broadcast_message(int receiver, Sending sending) {
  const auto stage = static_cast<int>(std::bit_floor(static_cast<unsigned>(receiver)));
  Message message{.sender = receiver - stage, .receiver = receiver, .after = {}};
  if (message.sender > 0) message.after.push_back(message.sender - 1);
  const bool sent_before = message.sender < stage / 2;
  if (sending == Sending::in_turn && sent_before) message.after.push_back(message.sender + stage / 2 - 1);
  return message;
}

/// The lowest bit of a rank is the stage in which it sends, when it has all of its subtree.
Message reduce_message(int sender, int members, Sending sending) {
  const int stage = sender & -sender;
  Message message{.sender = sender, .receiver = sender - stage, .after = {}};
  for (int below = 1; below < stage && sender + below < members; below *= 2) {
    message.after.push_back(sender + below - 1);
  }
  if (sending == Sending::in_turn && stage > 1) message.after.push_back(message.receiver + stage / 2 - 1);
  return message;
}

/// The message of member i is at place i - 1.
std::vector<Message> messages_of(Operation operation, int members, Sending sending) {
  const bool in_turn = sending == Sending::in_turn;
  const bool out = operation == Operation::broadcast || operation == Operation::scatter;
  const bool is_tree = operation == Operation::broadcast || operation == Operation::reduce;
  std::vector<Message> messages;
  for (int i = 1; i < members; ++i) {
    if (is_tree && members > most_linear) {
      messages.push_back(out ? broadcast_message(i, sending) : reduce_message(i, members, sending));
      continue;
    }
    Message message{.sender = out ? 0 : i, .receiver = out ? i : 0, .after = {}};
    if (in_turn && operation == Operation::reduce && i + 1 < members) message.after = {i};  // the last first
    if (in_turn && !is_tree && i > 1) message.after = {i - 2};
    messages.push_back(std::move(message));
  }
  return messages;
}

using Link = std::tuple<int, int, int>;

/// First along the first dimension, the shorter way round.
std::vector<Link> route(const Torus& torus, int sender, int receiver) {
  if (torus.empty()) return {{sender, 0, 1}, {receiver, 0, -1}};
  std::vector<Link> links;
  int stride = 1;
  int here = sender;
  for (int dimension = 0; dimension < static_cast<int>(torus.size()); ++dimension) {
    const int width = torus[static_cast<std::size_t>(dimension)];
    int at = here / stride % width;
    const int to = receiver / stride % width;
    const int ahead = (to - at + width) % width;
    // Half way round it goes up, except from the middle down to 0 (SimGrid's TorusZone).
    const bool up = 2 * ahead < width || (2 * ahead == width && (to > at || at > width / 2));
    for (int hops = std::min(ahead, width - ahead); hops > 0; --hops) {
      links.emplace_back(here, dimension, up ? 1 : -1);
      const int step = (at + (up ? 1 : width - 1)) % width;
      here += (step - at) * stride;
      at = step;
    }
    stride *= width;
  }
  if (links.empty()) links.emplace_back(sender, -1, receiver);  // on one node
  return links;
}

/// Links by number, so that what is free of each is an array.
class Flows {
 public:
  void add(const std::vector<Link>& links, std::vector<int> after) {
    std::vector<std::size_t> path;
    path.reserve(links.size());
    for (const Link& link : links) path.push_back(numbers_.try_emplace(link, numbers_.size()).first->second);
    paths_.push_back(std::move(path));
    after_.push_back(std::move(after));
  }
  [[nodiscard]] int size() const { return static_cast<int>(paths_.size()); }

  /// Until the last has arrived.
  [[nodiscard]] double makespan() const {
    std::vector<int> missing;
    std::vector<std::vector<std::size_t>> next(paths_.size());
    std::map<std::size_t, double> left;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      missing.push_back(static_cast<int>(after_[i].size()));
      for (const int one : after_[i]) next[static_cast<std::size_t>(one)].push_back(i);
      if (after_[i].empty()) left[i] = 1;
    }
    double time = 0;
    while (!left.empty()) {
      const auto rates = fair_rates(left);
      double step = 1 / done;
      for (const auto& [i, rest] : left) step = std::min(step, rest / rates.at(i));
      time += step;
      std::vector<std::size_t> arrived;
      for (auto& [i, rest] : left) {
        rest -= step * rates.at(i);
        if (rest <= done) arrived.push_back(i);
      }
      for (const std::size_t i : arrived) {
        left.erase(i);
        for (const std::size_t later : next[i]) {
          if (--missing[later] == 0) left[later] = 1;
        }
      }
    }
    return time;
  }

 private:
  using Rates = std::map<std::size_t, double>;

  /// The share of each that is under way, when none can have more without another's having less.
  [[nodiscard]] Rates fair_rates(const std::map<std::size_t, double>& under_way) const {
    std::vector<double> capacity(numbers_.size(), 1.0);
    std::vector<int> users(numbers_.size(), 0);
    for (const auto& [i, rest] : under_way) {
      for (const std::size_t link : paths_[i]) ++users[link];
    }
    Rates rates;
    while (rates.size() < under_way.size()) {
      double least = 1;
      for (std::size_t link = 0; link < capacity.size(); ++link) {
        if (users[link] > 0) least = std::min(least, capacity[link] / users[link]);
      }
      std::vector<bool> full(capacity.size());
      for (std::size_t link = 0; link < capacity.size(); ++link) {
        full[link] = users[link] > 0 && capacity[link] / users[link] <= least * (1 + done);
      }
      for (const auto& [i, rest] : under_way) {
        const auto is_full = [&full](std::size_t link) { return full[link]; };
        if (rates.contains(i) || !std::ranges::any_of(paths_[i], is_full)) continue;
        rates[i] = least;
        for (const std::size_t link : paths_[i]) {
          capacity[link] -= least;
          --users[link];
        }
      }
    }
    return rates;
  }

  std::map<Link, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> paths_;
  std::vector<std::vector<int>> after_;
};

double flow_time(Operation operation, int members, const Placement& placement, const Torus& torus,
                 Sending sending) {
  const std::vector<Message> messages = messages_of(operation, members, sending);
  const int apart = placement.stride == 1 ? members : 1;
  Flows flows;
  for (int group = 0; group < placement.groups; ++group) {
    const int first = flows.size();
    for (Message message : messages) {
      for (int& place : message.after) place += first;
      flows.add(route(torus, group * apart + message.sender * placement.stride,
                      group * apart + message.receiver * placement.stride),
                std::move(message.after));
    }
  }
  return flows.makespan();
}

}  // namespace

double link_time(Operation operation, int members, const Placement& placement, const Torus& torus,
                 Sending sending) {
  // Asked for every class of sizes, and a millisecond on hundreds of ranks: once is enough.
  static std::mutex guard;
  static std::map<std::tuple<Operation, int, Placement, Torus, Sending>, double> known;
  const std::scoped_lock lock(guard);
  const auto [place, is_new] = known.try_emplace({operation, members, placement, torus, sending});
  if (is_new) place->second = flow_time(operation, members, placement, torus, sending);
  return place->second;
}

int overheads(Operation operation, int members) {
  std::vector<Message> messages = messages_of(operation, members, Sending::eager);
  if (operation == Operation::reduce) {  // a rank receives by stages, up to four ranks the last first
    if (members <= most_linear) {
      std::ranges::reverse(messages);
    } else {
      std::ranges::stable_sort(messages, {}, [](const Message& one) { return one.sender & -one.sender; });
    }
  }
  std::vector<int> busy_until(static_cast<std::size_t>(members), 0);
  for (const Message& message : messages) {
    const int sent = ++busy_until[static_cast<std::size_t>(message.sender)];
    int& receiver = busy_until[static_cast<std::size_t>(message.receiver)];
    receiver = std::max(receiver, sent) + 1;
  }
  return *std::ranges::max_element(busy_until);
}

}  // namespace stretto::collective
