// SPDX-License-Identifier: BSD-3-Clause
#include "network/rank_programs.hpp"

#include <bit>
#include <cstddef>
#include <utility>

namespace stretto::network {
namespace {

constexpr int max_linear = 4;  // LAM: linear up to four ranks

/// One group of an operation; member 0 is its root.
class OperationGroup {
 public:
  OperationGroup(RankPrograms& programs, const GroupedOperation& operation, int index)
      : programs_(programs), operation_(operation), index_(index) {
    const auto ranks = static_cast<std::size_t>(rank(operation.members - 1)) + 1;
    if (programs.size() < ranks) programs.resize(ranks);
  }

  void add() {
    const bool is_linear = operation_.members <= max_linear;
    if (operation_.operation == Operation::broadcast) return is_linear ? send_to_all() : broadcast();
    if (operation_.operation == Operation::reduce && !is_linear) return reduce();
    for (int i = 1; i < operation_.members; ++i) {
      if (operation_.operation == Operation::scatter) message(0, i);
      if (operation_.operation == Operation::gather) message(i, 0);
      if (operation_.operation == Operation::reduce) message(operation_.members - i, 0);  // the last first
    }
  }

 private:
  using Kind = RankAction::Kind;

  [[nodiscard]] int rank(int member) const {
    return operation_.placement.rank(index_, member, operation_.members);
  }
  std::vector<RankAction>& program(int member) { return programs_[static_cast<std::size_t>(rank(member))]; }

  void message(int sender, int receiver) {
    program(sender).push_back({.kind = Kind::send, .peers = {rank(receiver)}, .amount = operation_.size});
    program(receiver).push_back({.kind = Kind::receive, .peers = {rank(sender)}, .amount = operation_.size});
  }

  void send_to_all() {
    if (operation_.members < 2) return;
    RankAction all{.kind = Kind::send, .peers = {}, .amount = operation_.size};
    for (int i = 1; i < operation_.members; ++i) {
      all.peers.push_back(rank(i));
      program(i).push_back({.kind = Kind::receive, .peers = {rank(0)}, .amount = operation_.size});
    }
    program(0).push_back(std::move(all));
  }

  /// In stage 2^k the first 2^k ranks send to the next 2^k.
  void broadcast() {
    for (int i = 1; i < operation_.members; ++i) {
      message(i - static_cast<int>(std::bit_floor(static_cast<unsigned>(i))), i);
    }
  }

  /// The lowest set bit of a member is the stage in which it sends, after it has received its subtree.
  void reduce() {
    for (int stage = 1; stage < operation_.members; stage *= 2) {
      for (int i = stage; i < operation_.members; i += 2 * stage) message(i, i - stage);
    }
  }

  RankPrograms& programs_;
  const GroupedOperation& operation_;
  int index_;
};

}  // namespace

std::vector<GroupedOperation> rooted_operations_of(Operation operation, int members,
                                                   const GroupPlacement& placement, double size) {
  const auto rooted = [&](Operation of, double times) {
    return GroupedOperation{
        .operation = of, .members = members, .placement = placement, .size = times * size};
  };
  if (is_rooted(operation)) return {rooted(operation, 1)};
  if (operation == Operation::allreduce) {
    return {rooted(Operation::reduce, 1), rooted(Operation::broadcast, 1)};
  }
  if (operation != Operation::allgather) return {};
  return {rooted(Operation::gather, 1), rooted(Operation::broadcast, members)};
}

void append(RankPrograms& programs, const GroupedOperation& operation) {
  for (int group = 0; group < operation.placement.groups; ++group) {
    OperationGroup(programs, operation, group).add();
  }
}

RankPrograms programs_of(std::span<const GroupedOperation> operations) {
  RankPrograms programs;
  for (const GroupedOperation& operation : operations) append(programs, operation);
  return programs;
}

}  // namespace stretto::network
