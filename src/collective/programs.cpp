// SPDX-License-Identifier: BSD-3-Clause
#include "collective/programs.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace stretto::collective {
namespace {

constexpr int most_linear = 4;  // LAM: linear up to four ranks

/// One group of a part; members are numbered from its root on.
class Group {
 public:
  Group(Programs& programs, const Part& part, int index) : programs_(programs), part_(part), index_(index) {
    const auto ranks = static_cast<std::size_t>(rank(part.members - 1)) + 1;
    if (programs.size() < ranks) programs.resize(ranks);
  }

  void add() {
    const bool is_linear = part_.members <= most_linear;
    if (part_.operation == Operation::broadcast) return is_linear ? send_to_all() : broadcast();
    if (part_.operation == Operation::reduce && !is_linear) return reduce();
    for (int i = 1; i < part_.members; ++i) {
      if (part_.operation == Operation::scatter) exchange(0, i);
      if (part_.operation == Operation::gather) exchange(i, 0);
      if (part_.operation == Operation::reduce) exchange(part_.members - i, 0);  // the last first
    }
  }

 private:
  [[nodiscard]] int rank(int member) const { return part_.placement.rank(index_, member, part_.members); }
  std::vector<Action>& program(int member) { return programs_[static_cast<std::size_t>(rank(member))]; }

  void exchange(int sender, int receiver) {
    program(sender).push_back({.sends = true, .peers = {rank(receiver)}, .size = part_.size});
    program(receiver).push_back({.sends = false, .peers = {rank(sender)}, .size = part_.size});
  }

  void send_to_all() {
    if (part_.members < 2) return;
    Action all{.sends = true, .peers = {}, .size = part_.size};
    for (int i = 1; i < part_.members; ++i) {
      all.peers.push_back(rank(i));
      program(i).push_back({.sends = false, .peers = {rank(0)}, .size = part_.size});
    }
    program(0).push_back(std::move(all));
  }

  /// In stage 2^k the first 2^k ranks send to the next 2^k.
  void broadcast() {
    for (int i = 1; i < part_.members; ++i) {
      exchange(i - static_cast<int>(std::bit_floor(static_cast<unsigned>(i))), i);
    }
  }

  /// The lowest bit of a rank is the stage in which it sends, when it has all of its subtree.
  void reduce() {
    for (int stage = 1; stage < part_.members; stage *= 2) {
      for (int i = stage; i < part_.members; i += 2 * stage) exchange(i, i - stage);
    }
  }

  Programs& programs_;
  const Part& part_;
  int index_;
};

}  // namespace

std::vector<Part> parts_of(Operation operation, int members, const Placement& placement, double size) {
  const auto part = [&](Operation of, double times) {
    return Part{.operation = of, .members = members, .placement = placement, .size = times * size};
  };
  if (is_rooted(operation)) return {part(operation, 1)};
  if (operation == Operation::allreduce) return {part(Operation::reduce, 1), part(Operation::broadcast, 1)};
  if (operation != Operation::allgather) return {};
  return {part(Operation::gather, 1), part(Operation::broadcast, members)};
}

Programs programs_of(std::span<const Part> parts) {
  Programs programs;
  for (const Part& part : parts) {
    for (int group = 0; group < part.placement.groups; ++group) Group(programs, part, group).add();
  }
  return programs;
}

}  // namespace stretto::collective
