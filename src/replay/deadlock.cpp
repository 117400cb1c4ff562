// SPDX-License-Identifier: BSD-3-Clause
#include "replay/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace stretto::replay {
namespace {

constexpr std::size_t max_described = 16;

class Finder {
 public:
  Finder(const Schedule& schedule, const std::vector<std::uint32_t>& remaining)
      : schedule_(schedule), remaining_(remaining), waits_for_(schedule.operations(), no_operation) {
    find_dependencies();
    for (OperationId id = 0; id < schedule.operations(); ++id) {
      if (!blocked(id) || schedule.kind[id] == OperationKind::calculate) continue;
      const std::uint32_t rank = schedule.rank_of(id);
      if (schedule.kind[id] == OperationKind::send) {
        const std::uint32_t tag = schedule.tag[id];
        for (const std::uint32_t source : {rank, any}) {
          sends_.try_emplace({source, schedule.peer[id], tag}, id);
          sends_.try_emplace({source, schedule.peer[id], any}, id);
        }
      } else {
        receives_.try_emplace({schedule.peer[id], rank, schedule.tag[id]}, id);
      }
    }
  }

  [[nodiscard]] Deadlock find() const {
    Deadlock deadlock;
    std::vector<std::uint32_t> step_of(schedule_.operations(), 0);
    auto at = static_cast<OperationId>(
        std::ranges::find_if(remaining_, [](std::uint32_t left) { return left != Stuck::ended; }) -
        remaining_.begin());
    while (at != no_operation && step_of[at] == 0) {
      deadlock.waiting.push_back(at);
      step_of[at] = static_cast<std::uint32_t>(deadlock.waiting.size());
      at = blocked(at) ? waits_for_[at] : missing_partner(at);
    }
    if (at != no_operation) {  // the operations that lead into the cycle are not part of it
      deadlock.cycle = true;
      deadlock.waiting.erase(deadlock.waiting.begin(), deadlock.waiting.begin() + step_of[at] - 1);
    }
    return deadlock;
  }

 private:
  using Partners = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, OperationId>;

  [[nodiscard]] bool blocked(OperationId id) const {
    return remaining_[id] != Stuck::ended && remaining_[id] > 0;
  }

  /// Finds one unfinished dependency of each blocked operation; any one suffices, because it needs all.
  void find_dependencies() {
    for (OperationId earlier = 0; earlier < schedule_.operations(); ++earlier) {
      if (remaining_[earlier] == Stuck::ended) continue;
      for (std::uint32_t at = schedule_.first_dependent[earlier]; at < schedule_.first_dependent[earlier + 1];
           ++at) {
        const bool start = (schedule_.dependents[at] & 1U) != 0;
        // An operation that has started blocks only those that wait for its end.
        if (!start || blocked(earlier)) waits_for_[schedule_.dependents[at] >> 1U] = earlier;
      }
    }
  }

  /// The operation that would match a posted receive, or a send that has sent its rendezvous request.
  [[nodiscard]] OperationId missing_partner(OperationId id) const {
    const std::uint32_t rank = schedule_.rank_of(id);
    const std::uint32_t peer = schedule_.peer[id];
    const std::uint32_t tag = schedule_.tag[id];
    if (schedule_.kind[id] == OperationKind::receive) return look_up(sends_, peer, rank, tag);
    for (const std::uint32_t source : {rank, any}) {
      for (const std::uint32_t posted_tag : {tag, any}) {
        const OperationId found = look_up(receives_, source, peer, posted_tag);
        if (found != no_operation) return found;
      }
    }
    return no_operation;
  }

  static OperationId look_up(const Partners& partners, std::uint32_t source, std::uint32_t receiver,
                             std::uint32_t tag) {
    const auto found = partners.find({source, receiver, tag});
    return found == partners.end() ? no_operation : found->second;
  }

  const Schedule& schedule_;
  const std::vector<std::uint32_t>& remaining_;
  std::vector<OperationId> waits_for_;
  Partners sends_;     // blocked sends, by (source, receiver, tag) and the wildcards that receives may use
  Partners receives_;  // blocked receives, by their source and tag
};

}  // namespace

Deadlock find_deadlock(const Schedule& schedule, const Stuck& stuck) {
  return Finder(schedule, stuck.remaining()).find();
}

std::string describe(const Schedule& schedule, const Deadlock& deadlock,
                     const std::function<std::string(OperationId)>& name) {
  const auto one = [&](OperationId id) {
    return fmt::format("rank {} {}'{}'", schedule.rank_of(id), name(id), goal_text(schedule.operation(id)));
  };
  std::string text = deadlock.cycle ? "deadlock: " : "the schedule does not end: ";
  for (std::size_t i = 0; i < deadlock.waiting.size(); ++i) {
    if (i > 0) text += " waits for ";
    if (i == max_described) {
      text += fmt::format("{} more operations", deadlock.waiting.size() - i);
      break;
    }
    text += one(deadlock.waiting[i]);
  }
  if (deadlock.cycle) return text + " waits for " + one(deadlock.waiting.front());
  const bool receives = schedule.kind[deadlock.waiting.back()] == OperationKind::receive;
  return text +
         (receives ? " waits for a message that nobody sends" : " waits for a receive that nobody posts");
}

}  // namespace stretto::replay
