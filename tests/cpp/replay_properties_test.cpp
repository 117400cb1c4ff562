// SPDX-License-Identifier: BSD-3-Clause
// Random schedules without deadlocks: they end at the time that the reference gives, and not before their
// critical path.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>

#include "replay_reference.hpp"
#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

/// The operations of all ranks, before they are sorted by rank. An operation depends only on earlier ones,
/// and a send is directly followed by its receive. So every operation can begin.
struct Draft {
  struct Node {
    std::uint32_t rank;
    ScheduleOperation operation;
    std::vector<std::size_t> ends;    // operations whose end it waits for
    std::vector<std::size_t> starts;  // operations it waits for the start of
    std::size_t message = 0;          // of a receive: its send
  };
  std::uint32_t ranks = 0;
  std::vector<Node> nodes;

  [[nodiscard]] Schedule schedule() const {
    ScheduleBuilder builder;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      std::map<std::size_t, std::uint32_t> number;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].rank != rank) continue;
        number[i] = builder.add(nodes[i].operation);
        for (const std::size_t other : nodes[i].ends) builder.require(number[i], number.at(other));
        for (const std::size_t other : nodes[i].starts) builder.require_start(number[i], number.at(other));
      }
      builder.end_rank();
    }
    return builder.finish();
  }
};

class Drafter {
 public:
  explicit Drafter(std::uint32_t seed) : random_(seed) {
    draft_.ranks = 1 + below(6);
    of_rank_.resize(draft_.ranks);
  }

  Draft make(bool wild_ranks) {
    const std::uint32_t steps = 1 + below(60);
    for (std::uint32_t step = 0; step < steps; ++step) {
      if (below(3) == 0) {
        add(below(draft_.ranks), {.amount = below(5) * 1000ULL, .cpu = small()});
      } else {
        add_message(wild_ranks);
      }
    }
    return std::move(draft_);
  }

 private:
  std::uint32_t below(std::uint32_t end) { return random_() % end; }
  std::uint8_t small() { return static_cast<std::uint8_t>(below(4) == 0 ? 1 : 0); }

  static constexpr std::size_t no_operation_yet = -1;

  std::size_t add(std::uint32_t rank, const ScheduleOperation& operation,
                  std::size_t unrelated_to = no_operation_yet) {
    Draft::Node node{.rank = rank, .operation = operation};
    std::vector<std::size_t>& mine = of_rank_[rank];
    for (std::uint32_t i = below(3); i > 0 && !mine.empty(); --i) {
      const std::size_t other = mine[below(static_cast<std::uint32_t>(mine.size()))];
      if (other != unrelated_to) (below(4) == 0 ? node.starts : node.ends).push_back(other);
    }
    mine.push_back(draft_.nodes.size());
    draft_.nodes.push_back(std::move(node));
    return draft_.nodes.size() - 1;
  }

  void add_message(bool wild_ranks) {
    const std::uint32_t from = below(draft_.ranks);
    const std::uint32_t to = below(draft_.ranks);
    const bool wild = wild_ranks && to % 2 == 0;
    const std::uint32_t tag = below(3);
    const std::uint64_t size_bytes = below(4) * 700ULL;
    const bool one_sided = below(4) == 0;
    const std::uint8_t nic = one_sided ? one_sided_nic : small();
    const auto cpu = [&] { return one_sided && below(2) == 0 ? background_cpu : std::uint16_t{small()}; };
    const std::size_t sent = add(from, {.kind = OperationKind::send,
                                        .amount = size_bytes,
                                        .peer = to,
                                        .tag = tag,
                                        .cpu = cpu(),
                                        .nic = nic});
    // Not after its own send: a rendezvous with the same rank would wait for itself.
    const std::size_t received = add(to,
                                     {.kind = OperationKind::receive,
                                      .amount = size_bytes,
                                      .peer = wild ? any : from,
                                      .tag = wild ? any : tag,
                                      .cpu = cpu(),
                                      .nic = nic},
                                     sent);
    draft_.nodes[received].message = sent;
    // Sends and receives of a channel begin in the order of creation, so that each send matches its receive.
    // All receives of a rank with wildcards are one channel; its messages arrive in any order.
    keep_order(sends_, std::tuple{from, to, tag}, sent);
    keep_order(receives_, std::tuple{wild ? any : from, to, wild ? any : tag}, received);
  }

  using Last = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t>;
  void keep_order(Last& last, const Last::key_type& channel, std::size_t node) {
    const auto before = last.find(channel);
    if (before != last.end()) draft_.nodes[node].starts.push_back(before->second);
    last[channel] = node;
  }

  std::mt19937 random_;
  Draft draft_;
  std::vector<std::vector<std::size_t>> of_rank_;
  Last sends_;
  Last receives_;
};

/// The critical path of dependencies and messages alone, without processors, cards or handshakes.
double longest_chain_s(const Draft& draft, const network::Network& network) {
  std::vector<double> start(draft.nodes.size());
  std::vector<double> end(draft.nodes.size());
  double longest = 0;
  for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
    const Draft::Node& node = draft.nodes[i];
    for (const std::size_t other : node.ends) start[i] = std::max(start[i], end[other]);
    for (const std::size_t other : node.starts) start[i] = std::max(start[i], start[other]);
    network::LogGp loggp = network.parameters(node.operation.amount);
    if (node.operation.nic == one_sided_nic && node.operation.cpu == background_cpu) {
      loggp.overhead_send_s = loggp.overhead_receive_s = 0;
    }
    if (node.operation.kind == OperationKind::calculate) {
      end[i] = start[i] + static_cast<double>(node.operation.amount) * 1e-9;
    } else if (node.operation.kind == OperationKind::send) {
      end[i] = start[i] + loggp.overhead_send_s;
    } else {
      const bool to_self = draft.nodes[node.message].rank == node.rank;
      const double network_s = to_self ? 0 : loggp.wire_s(node.operation.amount) + loggp.latency_s;
      const double there = end[node.message] + network_s;
      end[i] = std::max(start[i], there) + loggp.overhead_receive_s;
    }
    longest = std::max(longest, end[i]);
  }
  return longest;
}

const char* const networks[] = {
    "L=2us,o=1us,g=1us,G=1ns",
    "L=2us,o_s=0.7us,o_r=1.3us,g=3us,G=5ns,O=0.3ns",
    "L=0,o=0,g=0,G=0",
    "L=0,o=1us,g=2us,G=1ns",
    "L=1us",
    "L=2us,o=1us,g=1us,G=1ns,S=1000",
    "L=0.3us,o=0.1us,g=0.2us,G=2ns,S=0",
    "L=1us,o=1us;from=600,L=9us,o=2us,G=1ns;from=1400,L=0.5us,G=0.2ns",
    "L=0,S=0",
};

void expect_the_references_times(bool wildcards, std::span<const char* const> specs) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Schedule schedule = Drafter(seed).make(wildcards).schedule();
    for (const char* const spec : specs) {
      const network::Network network = network::network_from(spec);
      const double expected = ReferenceReplay(schedule, network).run();
      ASSERT_GE(expected, 0) << "seed " << seed << " on " << spec;
      ASSERT_EQ(replayed(schedule, network).makespan_s, expected) << "seed " << seed << " on " << spec;
    }
  }
}

TEST(RandomSchedules, EndAtTheReferencesTimes) { expect_the_references_times(false, networks); }

// Without rendezvous: which message a wildcard matches depends on the network, and some matches would
// deadlock.
TEST(RandomSchedules, WithWildcardsEndAtTheReferencesTimes) {
  expect_the_references_times(true, std::array{networks[0], networks[1], networks[3]});
}

TEST(RandomSchedules, TakeAtLeastTheirCriticalPath) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Draft draft = Drafter(seed).make(false);
    const Schedule schedule = draft.schedule();
    for (const char* const spec : networks) {
      const network::Network network = network::network_from(spec);
      const double chain_s = longest_chain_s(draft, network);
      ASSERT_GE(replayed(schedule, network).makespan_s, chain_s * (1 - 1e-12))
          << "seed " << seed << " on " << spec;
    }
  }
}

TEST(RandomSchedules, GiveTheSameBitsEveryTime) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const Schedule schedule = Drafter(seed).make(true).schedule();
    const CompiledSchedule compiled(schedule);
    Replayer replayer(schedule, compiled);
    const network::Network network = network::network_from(networks[1]);
    const double first_s = replayer.run(network).makespan_s;
    EXPECT_EQ(replayer.run(network).makespan_s, first_s);
    EXPECT_EQ(replayed(schedule, network).makespan_s, first_s);
  }
}

// Text and binary round-trip: the schedule that is read back has the same replay and the same text.
TEST(RandomSchedules, SurviveBothFormats) {
  const network::Network network = network::network_from(networks[1]);
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Schedule schedule = Drafter(seed).make(true).schedule();
    const double expected_s = replayed(schedule, network).makespan_s;
    const std::string text = to_goal_text(schedule);
    const Schedule from_text = parse_goal_text(text, "text");
    EXPECT_EQ(replayed(from_text, network).makespan_s, expected_s);
    EXPECT_EQ(to_goal_text(from_text), text);
    const Schedule from_binary = parse_goal_binary(to_goal_binary(schedule), "binary");
    EXPECT_EQ(replayed(from_binary, network).makespan_s, expected_s);
    EXPECT_EQ(to_goal_binary(from_binary), to_goal_binary(schedule));
  }
}

}  // namespace
}  // namespace stretto::replay
