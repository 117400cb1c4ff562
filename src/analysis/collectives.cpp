// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/collectives.hpp"

#include <cmath>
#include <set>

namespace stretto::analysis {

void Begins::add(const Begins& others) {
  if (!(last_s >= others.last_s)) last_s = others.last_s;
  if (!std::isnan(others.root_s)) root_s = others.root_s;
  ranks += others.ranks;
}

Collective& Collectives::find(std::uint64_t communicator, std::uint64_t number) {
  return at(communicators_[communicator], number);
}

Collective& Collectives::at(Communicator& of, std::uint64_t number) {
  if (number < of.first) return gone_ = Collective();
  while (number >= of.first + of.open.size()) of.open.push() = Collective();
  return of.open[number - of.first];
}

void Collectives::begin(const replay::TracedContext* context, const Begun& one,
                        std::vector<std::uint64_t>& woken) {
  Communicator& of = communicators_[one.communicator];
  if (!of.is_known) know(of, context);
  for (const std::size_t process : of.others) {
    std::vector<Begun>& all = outgoing[process];
    if (!all.empty() && all.back().communicator == one.communicator && all.back().number == one.number) {
      all.back().ranks.add(one.ranks);
      all.back().wakes = all.back().wakes || one.wakes;
    } else {
      all.push_back(one);
    }
  }
  take(one, woken);
}

void Collectives::take(const Begun& one, std::vector<std::uint64_t>& woken) {
  Collective& operation = find(one.communicator, one.number);
  operation.begun.add(one.ranks);
  if (!one.wakes) return;
  woken.insert(woken.end(), operation.waiting.begin(), operation.waiting.end());
  operation.waiting.clear();
}

void Collectives::know(Communicator& of, const replay::TracedContext* context) const {
  of.is_known = true;
  std::set<std::size_t> others;
  const auto take_rank = [&](std::size_t rank) {
    // A rank of another program never passes here.
    if (rank >= division_.ranks() || division_.owns(rank)) {
      ++of.members;
    } else {
      others.insert(division_.owner(rank));
    }
  };
  if (context != nullptr) {
    for (const auto* group : {&context->members, &context->remote}) {
      for (const std::int32_t rank : *group) take_rank(static_cast<std::size_t>(rank));
    }
  } else {
    for (std::size_t rank = 0; rank < division_.ranks(); ++rank) take_rank(rank);
    of.members = 0;
  }
  of.others.assign(others.begin(), others.end());
}

void Collectives::leave(std::uint64_t communicator, std::uint64_t number) {
  const auto found = communicators_.try_emplace(communicator).first;
  Communicator& of = found->second;
  Collective& one = at(of, number);
  if (of.members == 0 || ++one.passed < of.members) return;
  one.is_done = true;
  for (; !of.open.empty() && of.open.front().is_done; ++of.first) of.open.pop();
  forget(found);
}

void Collectives::drop(std::uint64_t communicator) {
  const auto found = communicators_.find(communicator);
  if (found == communicators_.end()) return;
  ++found->second.dropped;
  forget(found);
}

void Collectives::forget(std::unordered_map<std::uint64_t, Communicator>::iterator found) {
  const Communicator& of = found->second;
  const bool is_over = of.members > 0 && of.dropped >= of.members && of.open.empty();
  if (is_over && of.others.empty()) communicators_.erase(found);
}

}  // namespace stretto::analysis
