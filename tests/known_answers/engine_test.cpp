// SPDX-License-Identifier: BSD-3-Clause
// The event core alone: order of events, and completion times of messages on each side.
#include "known_answers/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace stretto::known_answers {
namespace {

TEST(EventHeap, PopsInTheOrderOfTimeThenInsertion) {
  std::mt19937 random(7);
  network::EventHeap<Event> queue;
  std::vector<std::tuple<double, std::uint64_t>> expected;
  for (std::uint64_t age = 0; age < 1000; ++age) {
    const auto time_s = static_cast<double>(random() % 50);  // many ties
    const std::uint64_t order = (static_cast<std::uint64_t>(random() % 8) << 32U) | age;
    queue.push({.time_s = time_s, .order = order});
    expected.emplace_back(time_s, order);
  }
  std::sort(expected.begin(), expected.end());
  for (const auto& [time_s, order] : expected) {
    ASSERT_FALSE(queue.empty());
    EXPECT_EQ(queue.top().time_s, time_s);
    EXPECT_EQ(queue.top().order, order);
    queue.pop();
  }
  EXPECT_TRUE(queue.empty());
}

TEST(EventHeap, StaysInOrderWhenPushedBetweenPops) {
  std::mt19937 random(11);
  network::EventHeap<Event> queue;
  double last_s = 0;
  for (std::uint64_t age = 0; age < 5000; ++age) {
    queue.push({.time_s = last_s + static_cast<double>(random() % 100), .order = age});
    if (random() % 2 == 0) {
      EXPECT_GE(queue.top().time_s, last_s);
      last_s = queue.top().time_s;
      queue.pop();
    }
  }
}

struct RecordedEvents : Listener {
  std::vector<std::tuple<MessageId, double>> completions;
  std::vector<std::tuple<MessageId, double>> arrivals;
  std::vector<std::tuple<double, int, bool>> traffic;
  Engine* engine = nullptr;

  void completed(MessageId id, double done_s) override { completions.emplace_back(id, done_s); }
  void arrived(MessageId id, double ready_s) override {
    arrivals.emplace_back(id, ready_s);
    engine->release(id);
  }
  void traffic_changed(int rank, bool moving) override {
    traffic.emplace_back(engine->now_s(), rank, moving);
  }
};

struct EngineRun {
  RecordedEvents recorded;
  Engine engine;
  explicit EngineRun(int ranks, double overlap = 1, bool watch = false)
      : engine(ranks, overlap, watch, recorded) {
    recorded.engine = &engine;
  }
  void run_all() {
    while (engine.run_next() != Engine::Outcome::idle) {
    }
  }
};

// Times are small integers here, so that sums are exact.
Message eager(int from, int to) {
  return {.origin = from,
          .from = from,
          .to = to,
          .latency_s = 5,
          .control_latency_s = 3,
          .gap_s = 2,
          .wire_s = 10};
}

using Times = std::vector<std::tuple<MessageId, double>>;

TEST(Engine, TheNetworkCardSendsOneMessageAtATime) {
  EngineRun run(3);
  const MessageId first = run.engine.submit(eager(0, 1));
  const MessageId second = run.engine.submit(eager(0, 2));
  run.run_all();
  EXPECT_EQ(run.recorded.arrivals, (Times{{first, 15}, {second, 27}}));
}

TEST(Engine, APollProgressesOnlyDueMessages) {
  EngineRun run(2, 0.5);
  const MessageId id = run.engine.submit(eager(0, 1));
  ASSERT_TRUE(run.engine.try_advance(0, 4));
  run.engine.poll(0);  // by itself it goes on until 5
  ASSERT_TRUE(run.engine.try_advance(0, 8));
  EXPECT_TRUE(run.recorded.completions.empty());
  run.engine.poll(0);
  EXPECT_EQ(run.recorded.completions, (Times{{id, 13}}));
}

TEST(Engine, ReportsWhenTrafficStartsAndEnds) {
  EngineRun run(2, 0.5, true);
  (void)run.engine.submit(eager(0, 1));
  run.run_all();
  ASSERT_TRUE(run.engine.try_advance(0, 100));
  run.engine.enter_call(0);
  run.run_all();
  const std::vector<std::tuple<double, int, bool>> expected = {
      {0, 0, true},   {0, 1, true},   {5, 0, false},   {5, 1, false},
      {100, 0, true}, {100, 1, true}, {110, 0, false}, {110, 1, false}};
  EXPECT_EQ(run.recorded.traffic, expected);
}

TEST(Engine, ReusesMessageSlots) {
  EngineRun run(2);
  MessageId largest = 0;
  for (int i = 0; i < 1000; ++i) {
    largest = std::max(largest, run.engine.submit(eager(0, 1)));
    run.run_all();
  }
  EXPECT_EQ(largest, 0U);
}

TEST(Engine, WakesAfterMessagesAndByRank) {
  EngineRun run(3);
  run.engine.wake_at(2, 15, 9);
  run.engine.wake_at(1, 15, 8);
  (void)run.engine.submit(eager(0, 2));
  EXPECT_EQ(run.engine.run_next(), Engine::Outcome::message);
  EXPECT_EQ(run.engine.run_next(), Engine::Outcome::wake);
  EXPECT_EQ(run.engine.woken_rank(), 1);
  EXPECT_EQ(run.engine.woken_stamp(), 8U);
  EXPECT_EQ(run.engine.run_next(), Engine::Outcome::wake);
  EXPECT_EQ(run.engine.woken_rank(), 2);
  EXPECT_EQ(run.engine.run_next(), Engine::Outcome::idle);
}

TEST(Engine, RefusesNoRanks) {
  RecordedEvents recorded;
  EXPECT_THROW(Engine(0, 1, false, recorded), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::known_answers
