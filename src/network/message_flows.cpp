// SPDX-License-Identifier: BSD-3-Clause
#include "network/message_flows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <stdexcept>

namespace stretto::network {
namespace {

std::size_t index_of(int number) { return static_cast<std::size_t>(number); }

/// A message in flight.
struct Flow {
  int sender = 0;
  int receiver = 0;
  double size_bytes = 0;
  bool is_eager = false;
  bool is_sent = false;
  bool is_awaited = false;
  bool is_there = false;
  double left_s = 0;  ///< remaining time if it had its links alone
  double share = 0;
  double since_s = 0;
  int arrival = 0;  ///< how often its arrival time has changed
};

struct FlowEvent {
  enum class Kind { go_on, sent, move, arrive };

  double time_s = 0;
  std::int64_t number = 0;  ///< tie-break: of simultaneous events the first scheduled comes first
  Kind kind = Kind::go_on;
  int of = 0;       ///< a rank, or a message
  int arrival = 0;  ///< the value of Flow::arrival when this was scheduled

  bool operator>(const FlowEvent& other) const {
    return time_s != other.time_s ? time_s > other.time_s : number > other.number;
  }
};

class FlowRun {
 public:
  FlowRun(const RankPrograms& programs, const MessageCosts& costs)
      : programs_(programs),
        costs_(costs),
        links_(costs.torus),
        place_(programs.size(), 0),
        to_arrive_(programs.size(), 0) {
    match();
    for (std::size_t rank = 0; rank < programs.size(); ++rank) {
      schedule(0, FlowEvent::Kind::go_on, static_cast<int>(rank));
    }
  }

  double to_the_end() {
    while (!events_.empty()) {
      const FlowEvent event = events_.top();
      events_.pop();
      now_s_ = event.time_s;
      switch (event.kind) {
        case FlowEvent::Kind::go_on:
          go_on(event.of);
          break;
        case FlowEvent::Kind::sent:
          sent(event.of);
          break;
        case FlowEvent::Kind::move:
          move(event.of);
          break;
        case FlowEvent::Kind::arrive:
          if (event.arrival == messages_[index_of(event.of)].arrival) leave_links(event.of);
          break;
      }
    }
    for (std::size_t rank = 0; rank < programs_.size(); ++rank) {
      if (place_[rank] < programs_[rank].size()) throw std::logic_error("the ranks deadlock");
    }
    return end_s_;  // superseded arrivals may remain in the queue
  }

 private:
  /// Matches the n-th message between two ranks with the n-th receive.
  void match() {
    std::map<std::pair<int, int>, std::vector<int>> between;
    of_action_.resize(programs_.size());
    for_each_action(RankAction::Kind::send,
                    [&](int rank, int peer, const RankAction& action, std::vector<int>& numbers) {
                      numbers.push_back(static_cast<int>(messages_.size()));
                      between[{rank, peer}].push_back(numbers.back());
                      messages_.push_back({.sender = rank,
                                           .receiver = peer,
                                           .size_bytes = action.amount,
                                           .is_eager = action.amount <= costs_.eager_limit_bytes});
                    });
    std::map<std::pair<int, int>, std::size_t> taken;
    for_each_action(RankAction::Kind::receive,
                    [&](int rank, int peer, const RankAction&, std::vector<int>& numbers) {
                      numbers.push_back(between.at({peer, rank}).at(taken[{peer, rank}]++));
                    });
  }

  template <typename Visit>
  void for_each_action(RankAction::Kind kind, Visit&& visit) {
    for (std::size_t rank = 0; rank < programs_.size(); ++rank) {
      of_action_[rank].resize(programs_[rank].size());
      for (std::size_t i = 0; i < programs_[rank].size(); ++i) {
        const RankAction& action = programs_[rank][i];
        if (action.kind != kind) continue;
        for (const int peer : action.peers) visit(static_cast<int>(rank), peer, action, of_action_[rank][i]);
      }
    }
  }

  void schedule(double delay_s, FlowEvent::Kind kind, int of, int arrival = 0) {
    events_.push(
        {.time_s = now_s_ + delay_s, .number = scheduled_++, .kind = kind, .of = of, .arrival = arrival});
  }

  void done(int rank, double delay_s) {
    ++place_[index_of(rank)];
    schedule(delay_s, FlowEvent::Kind::go_on, rank);
  }

  void go_on(int rank) {
    end_s_ = now_s_;
    const std::size_t place = place_[index_of(rank)];
    if (place == programs_[index_of(rank)].size()) return;
    const RankAction& action = programs_[index_of(rank)][place];
    const std::vector<int>& messages = of_action_[index_of(rank)][place];
    switch (action.kind) {
      case RankAction::Kind::send:
        return send(rank, messages);
      case RankAction::Kind::receive:
        return receive(rank, messages.front());
      case RankAction::Kind::compute:
        return done(rank, action.amount);
    }
  }

  void send(int rank, const std::vector<int>& messages) {
    int handed_over = 0;
    int& to_arrive = to_arrive_[index_of(rank)];
    for (const int number : messages) {
      schedule(++handed_over * costs_.overhead_s, FlowEvent::Kind::sent, number);
      if (!messages_[index_of(number)].is_eager) ++to_arrive;
    }
    if (to_arrive == 0) done(rank, handed_over * costs_.overhead_s);
  }

  void sent(int number) {
    Flow& message = messages_[index_of(number)];
    message.is_sent = true;
    if (message.is_eager || message.is_awaited) schedule(costs_.latency_s, FlowEvent::Kind::move, number);
  }

  void receive(int rank, int number) {
    Flow& message = messages_[index_of(number)];
    message.is_awaited = true;
    if (message.is_there) {
      done(rank, costs_.overhead_s);
    } else if (message.is_sent && !message.is_eager) {
      schedule(costs_.latency_s, FlowEvent::Kind::move, number);
    }
  }

  void move(int number) {
    Flow& message = messages_[index_of(number)];
    message.left_s = message.size_bytes * costs_.gap_s_per_byte;
    message.since_s = now_s_;
    if (message.left_s == 0) {
      arrive(message);
    } else {
      share(links_.add(number, message.sender, message.receiver));
    }
  }

  /// Schedules new arrivals for all messages with a changed share.
  void share(std::span<const int> links) {
    for (const auto& [number, share] : links_.shares(links)) {
      Flow& message = messages_[index_of(number)];
      if (share == message.share) continue;
      message.left_s -= message.share * (now_s_ - message.since_s);
      message.share = share;
      message.since_s = now_s_;
      schedule(std::max(0.0, message.left_s / share), FlowEvent::Kind::arrive, number, ++message.arrival);
    }
  }

  void leave_links(int number) {
    share(links_.remove(number));
    arrive(messages_[index_of(number)]);
  }

  void arrive(Flow& message) {
    message.is_there = true;
    if (message.is_awaited) done(message.receiver, costs_.overhead_s);
    if (!message.is_eager && --to_arrive_[index_of(message.sender)] == 0) done(message.sender, 0);
  }

  const RankPrograms& programs_;
  const MessageCosts& costs_;
  LinkShares links_;
  std::vector<std::size_t> place_;  // the next action of each rank
  std::vector<int> to_arrive_;      // number of messages for which the rank's send still waits
  std::vector<Flow> messages_;
  std::vector<std::vector<std::vector<int>>> of_action_;
  std::priority_queue<FlowEvent, std::vector<FlowEvent>, std::greater<>> events_;
  std::int64_t scheduled_ = 0;
  double now_s_ = 0;
  double end_s_ = 0;
};

}  // namespace

double makespan_s(const RankPrograms& programs, const MessageCosts& costs) {
  return FlowRun(programs, costs).to_the_end();
}

}  // namespace stretto::network
