// SPDX-License-Identifier: BSD-3-Clause
// A plain second implementation of the replay: one queue for all ranks, linear search for partners. It
// shares only the schedule and the network with the replay. It is slow and simple, and knows offload only.
#pragma once

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "network/network.hpp"
#include "replay/schedule.hpp"

namespace stretto::replay {

class ReferenceReplay {
 public:
  ReferenceReplay(const Schedule& schedule, const network::Network& network)
      : schedule_(schedule),
        network_(network),
        waits_(schedule.dependencies.begin(), schedule.dependencies.end()),
        ready_(schedule.operations(), 0) {}

  /// The makespan; negative when the schedule does not end.
  double run() {
    for (OperationId id = 0; id < schedule_.operations(); ++id) {
      if (waits_[id] == 0) events_.insert({0, schedule_.rank_of(id), -1, id});
    }
    while (!events_.empty()) {
      const auto [now, rank, what, id] = *events_.begin();
      events_.erase(events_.begin());
      handle(now, what, id);
    }
    return ended_ == schedule_.operations() ? makespan_ : -1;
  }

 private:
  // -1: ready from the beginning, 0: ready, 1: the processor may complete a receive, 2: an eager message or
  // a rendezvous request arrived, 3: the bytes of a rendezvous arrived, 4: its reply arrived
  using Event = std::tuple<double, std::uint32_t, int, OperationId>;

  void handle(double now, int what, OperationId id) {
    if (what <= 0) begin(now, id);
    if (what == 1) complete(now, id);
    if (what == 2) came(now, id, is_rendezvous(id) ? now : through_card(now, id));
    if (what == 3) events_.insert({through_card(now, id), schedule_.peer[id], 1, partner_.at(id)});
    if (what == 4) end(leave(now, id, 3), id);
  }

  bool is_one_sided(OperationId id) const { return schedule_.nic[id] == one_sided_nic; }
  bool is_of_card(OperationId id) const { return is_one_sided(id) && schedule_.cpu[id] == background_cpu; }
  std::uint32_t card(OperationId id) const { return is_one_sided(id) ? 0 : schedule_.nic[id]; }
  bool is_long(OperationId message) const { return schedule_.amount[message] > network_.eager_bytes; }
  bool is_rendezvous(OperationId message) const { return is_long(message) && !is_one_sided(message); }

  double extra(OperationId message) const {
    return schedule_.amount[message] > 0 ? static_cast<double>(schedule_.amount[message] - 1) : 0;
  }
  bool is_to_self(OperationId message) const { return schedule_.peer[message] == schedule_.rank_of(message); }
  network::LogGp loggp(OperationId message) const {
    network::LogGp found = network_.parameters(schedule_.amount[message]);
    if (is_to_self(message)) found.latency_s = found.gap_s = found.gap_s_per_byte = 0;
    return found;
  }

  double on_cpu(double now, OperationId id, double duration) {
    if (is_of_card(id)) return now;
    double& free = cpus_[{schedule_.rank_of(id), schedule_.cpu[id]}];
    const double begin = std::max(now, free);
    free = begin + duration;
    return begin;
  }

  void begin(double now, OperationId id) {
    if (schedule_.kind[id] == OperationKind::calculate) {
      const double duration = static_cast<double>(schedule_.amount[id]) * 1e-9;
      const double begin = on_cpu(now, id, duration);
      tell(begin, id, 1);
      end(begin + duration, id);
    } else if (schedule_.kind[id] == OperationKind::receive) {
      tell(now, id, 1);
      posted_.push_back(id);
      match(now);
    } else {
      const double busy = loggp(id).overhead_send_s + extra(id) * network_.overhead_s_per_byte;
      const double duration = is_of_card(id) ? 0 : busy;
      const double begin = on_cpu(now, id, duration);
      tell(begin, id, 1);
      if (is_rendezvous(id)) {
        events_.insert({seen(begin + duration + loggp(id).latency_s, id), schedule_.peer[id], 2, id});
      } else {
        const double left = leave(begin + duration, id, 2);
        end(is_long(id) ? left : begin + duration, id);
      }
    }
  }

  double leave(double now, OperationId id, int then) {
    double none = 0;
    double& free = is_to_self(id) ? none : out_[{schedule_.rank_of(id), card(id)}];
    const double begin = std::max(now, free);
    const double wire = extra(id) * loggp(id).gap_s_per_byte;
    const double left = begin + wire;
    free = begin + (wire + loggp(id).gap_s);
    const double there = left + loggp(id).latency_s;
    events_.insert({then == 2 ? seen(there, id) : there, schedule_.peer[id], then, id});
    return left;
  }

  /// Messages of a channel arrive in the order of sending. Simultaneous arrivals are matched in the order of
  /// operations: where that order differs, the later message is delayed by one bit of its time.
  /// For a rank with wildcards all messages of one sender are one channel.
  double seen(double there, OperationId id) {
    const std::uint32_t tag = wild(schedule_.peer[id]) ? any : schedule_.tag[id];
    const auto [last, first] = last_.try_emplace({schedule_.rank_of(id), schedule_.peer[id], tag}, there, id);
    if (first) return there;
    const auto [time, other] = last->second;
    if (there <= time) there = other < id ? time : std::nextafter(time, INFINITY);
    last->second = {there, id};
    return there;
  }

  bool wild(std::uint32_t rank) const {
    for (OperationId id = schedule_.first_operation[rank]; id < schedule_.first_operation[rank + 1]; ++id) {
      const bool receives = schedule_.kind[id] == OperationKind::receive;
      if (receives && (schedule_.peer[id] == any || schedule_.tag[id] == any)) return true;
    }
    return false;
  }

  double through_card(double now, OperationId id) {
    if (is_to_self(id)) return now;
    double& free = in_[{schedule_.peer[id], card(id)}];
    const double here = std::max(now, free + extra(id) * loggp(id).gap_s_per_byte);
    free = here + loggp(id).gap_s;
    return here;
  }

  void came(double now, OperationId id, double here) {
    here_[id] = here;
    came_.push_back(id);
    match(now);
  }

  /// The first posted receive that a message matches, and the first message that matches it. There is at most
  /// one such pair, because this runs after each arrival and each post.
  void match(double now) {
    for (auto receive = posted_.begin(); receive != posted_.end(); ++receive) {
      for (auto message = came_.begin(); message != came_.end(); ++message) {
        if (!fit(*receive, *message)) continue;
        const OperationId r = *receive;
        const OperationId m = *message;
        posted_.erase(receive);
        came_.erase(message);
        join(now, r, m);
        return;
      }
    }
  }

  bool fit(OperationId receive, OperationId message) const {
    return schedule_.peer[message] == schedule_.rank_of(receive) &&
           (schedule_.peer[receive] == any || schedule_.peer[receive] == schedule_.rank_of(message)) &&
           (schedule_.tag[receive] == any || schedule_.tag[receive] == schedule_.tag[message]);
  }

  void join(double now, OperationId receive, OperationId message) {
    partner_[receive] = message;
    partner_[message] = receive;
    const std::uint32_t rank = schedule_.rank_of(receive);
    if (is_rendezvous(message)) {
      events_.insert({now + loggp(message).latency_s, schedule_.rank_of(message), 4, message});
    } else if (here_[message] > now) {
      events_.insert({here_[message], rank, 1, receive});
    } else {
      complete(now, receive);
    }
  }

  void complete(double now, OperationId id) {
    const OperationId message = partner_.at(id);
    const double busy = loggp(message).overhead_receive_s + extra(message) * network_.overhead_s_per_byte;
    const double duration = is_of_card(id) ? 0 : busy;
    end(on_cpu(now, id, duration) + duration, id);
  }

  void end(double now, OperationId id) {
    ++ended_;
    makespan_ = std::max(makespan_, now);
    tell(now, id, 0);
  }

  void tell(double now, OperationId id, std::uint32_t start) {
    for (std::uint32_t at = schedule_.first_dependent[id]; at < schedule_.first_dependent[id + 1]; ++at) {
      const OperationId later = schedule_.dependents[at] >> 1U;
      if ((schedule_.dependents[at] & 1U) != start) continue;
      ready_[later] = std::max(ready_[later], now);
      if (--waits_[later] == 0) events_.insert({ready_[later], schedule_.rank_of(later), 0, later});
    }
  }

  const Schedule& schedule_;
  const network::Network& network_;
  std::vector<std::uint32_t> waits_;
  std::vector<double> ready_;
  std::set<Event> events_;
  std::map<std::tuple<std::uint32_t, std::uint32_t>, double> cpus_, out_, in_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::pair<double, OperationId>> last_;
  std::map<OperationId, double> here_;
  std::map<OperationId, OperationId> partner_;
  std::list<OperationId> posted_, came_;
  std::size_t ended_ = 0;
  double makespan_ = 0;
};

}  // namespace stretto::replay
