// SPDX-License-Identifier: BSD-3-Clause
// T_c, T_w and T_t with injected overlap and stolen cycles equal the closed forms of
// known_answers/run.hpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "known_answers/run.hpp"

namespace stretto::known_answers {
namespace {

constexpr double us = 1e-6;
constexpr double latency_s = 5 * us;
constexpr double overhead_s = 1 * us;
constexpr std::size_t size_bytes = 1'000'001;  // 1 ms on the wire at 1 ns a byte
constexpr double wire_s = 1e-3;

enum class Worker { none, origin, target, both };

struct Case {
  ChannelOperation operation = ChannelOperation::send;
  Worker worker = Worker::origin;
  double overlap = 1;
  double steal = 0;
  int polls = 0;
};

/// Starts, computes for `work_s` in slices with a poll() after each, and finishes.
double time_s(const Case& point, bool communicate, double work_s) {
  const std::string spec =
      fmt::format("L=5us,o_s=1us,o_r=1us,G=1ns,overlap={},steal={},work=1ps", point.overlap, point.steal);
  double last_s = 0;
  run_virtual(virtual_machine_from(spec), 2, [&](VirtualRank& self) {
    const int me = self.team.rank();
    self.transport.reserve(size_bytes);
    const Transfer transfer{.operation = point.operation, .peer = 1 - me, .size_bytes = size_bytes};
    if (communicate && me == 0) self.transport.start(transfer);
    if (communicate && me == 1 && point.operation == ChannelOperation::send) self.transport.expect(transfer);
    const bool works =
        point.worker == Worker::both || point.worker == (me == 0 ? Worker::origin : Worker::target);
    for (int slice = 0; works && slice <= point.polls; ++slice) {
      if (slice > 0) self.transport.poll();
      self.worker.work(measure::WorkKind::registers,
                       static_cast<std::uint64_t>(std::llround(work_s * 1e12 / (point.polls + 1))));
    }
    self.transport.finish();
    last_s = std::max(last_s, self.team.now_s());
  });
  return last_s;
}

struct Overlap {
  double communication_s, together_s, eta;
};

Overlap measure_overlap(const Case& point, double ratio) {
  const double communication_s = time_s(point, true, 0);
  const double work_s = time_s(point, false, ratio * communication_s);
  const double together_s = time_s(point, true, ratio * communication_s);
  return {communication_s, together_s,
          (communication_s + work_s - together_s) / std::min(communication_s, work_s)};
}

constexpr ChannelOperation operations[] = {ChannelOperation::send, ChannelOperation::put,
                                           ChannelOperation::get};

TEST(VirtualOverlap, DoesNotChangeCommunicationAlone) {
  for (const ChannelOperation operation : operations) {
    const double expected_s = operation == ChannelOperation::send ? 2 * overhead_s + latency_s + wire_s
                                                                  : overhead_s + 2 * latency_s + wire_s;
    for (const double overlap : {0.0, 0.3, 1.0}) {
      EXPECT_NEAR(time_s({.operation = operation, .overlap = overlap}, true, 0), expected_s, 1e-12);
    }
  }
}

// T_t = T_w + T_c - phi W exactly, wherever T_w >= phi W. The request of a get needs no progress.
TEST(VirtualOverlap, ClosedForm) {
  for (const ChannelOperation operation : operations) {
    for (const double overlap : {0.0, 0.25, 0.5, 0.75}) {
      for (const double ratio : {1.0, 2.0, 4.0}) {
        const Overlap found = measure_overlap({.operation = operation, .overlap = overlap}, ratio);
        const double hidden_s = overlap * wire_s + (operation == ChannelOperation::get ? latency_s : 0);
        EXPECT_NEAR(found.together_s, (1 + ratio) * found.communication_s - hidden_s, 3e-12)
            << to_string(operation) << " " << overlap << " " << ratio;
        EXPECT_NEAR(found.eta, hidden_s / found.communication_s, 1e-8);
      }
    }
    const Overlap offloaded = measure_overlap({.operation = operation, .overlap = 1}, 1);
    EXPECT_NEAR(offloaded.together_s, overhead_s + offloaded.communication_s, 3e-12) << to_string(operation);
  }
}

// The knee of figure 6 of the ARMCI paper: computation up to phi W does not lengthen the run.
TEST(VirtualOverlap, ShortComputationIsHiddenCompletely) {
  const Case half{.operation = ChannelOperation::put, .overlap = 0.5};
  const double communication_s = time_s(half, true, 0);
  EXPECT_NEAR(time_s(half, true, 0.49 * wire_s), communication_s, 1e-12);
  EXPECT_NEAR(time_s(half, true, 0.60 * wire_s), communication_s + 0.10 * wire_s, 1e-12);
}

TEST(VirtualOverlap, OnlyTheDrivingRankMatters) {
  const Overlap target = measure_overlap({.worker = Worker::target, .overlap = 0}, 1);
  EXPECT_GT(target.eta, 0.98);
  const Overlap both = measure_overlap({.worker = Worker::both, .overlap = 0}, 1);
  EXPECT_LT(both.eta, 0.02);
}

TEST(VirtualOverlap, OnePollDrivesTheRest) {
  for (const ChannelOperation operation : operations) {
    const Overlap polled = measure_overlap({.operation = operation, .overlap = 0, .polls = 99}, 1);
    EXPECT_GT(polled.eta, 0.97) << to_string(operation);
    EXPECT_LT(polled.eta, 1.0);
  }
}

// A progress thread that steals the whole core: the transfer is offloaded, without a gain.
TEST(VirtualSteal, StealingTheCoreIsNoOverlap) {
  for (const ChannelOperation operation : operations) {
    for (const double ratio : {0.25, 1.0, 4.0}) {
      const Overlap found = measure_overlap({.operation = operation, .steal = 1}, ratio);
      EXPECT_NEAR(found.eta, 0, 0.01) << to_string(operation) << " " << ratio;
    }
  }
  const Overlap receiver = measure_overlap({.worker = Worker::target, .steal = 1}, 1);
  EXPECT_NEAR(receiver.eta, 0, 0.01);
  const Overlap both = measure_overlap({.worker = Worker::both, .steal = 1}, 1);
  EXPECT_NEAR(both.eta, 0, 0.01);
}

// During the flight M = W + L computation has the share 1 - sigma, afterwards all: T_t = o_s + T_w + sigma M.
TEST(VirtualSteal, FractionSlowsWorkDuringTheFlight) {
  const double flight_s = wire_s + latency_s;
  for (const double steal : {0.25, 0.5, 0.75}) {
    const double work_s = 3e-3;
    EXPECT_NEAR(time_s({.steal = steal}, true, work_s), overhead_s + work_s + steal * flight_s, 1e-12);
  }
}

// A stalled transfer steals nothing; otherwise the computation it waits for would not end.
TEST(VirtualSteal, StalledTransferStealsNothing) {
  const double work_s = 3e-3;
  const double expected_s =
      2 * overhead_s + work_s + latency_s + wire_s;  // 0.4 W stolen, 0.6 W progressed afterwards
  EXPECT_NEAR(time_s({.overlap = 0.4, .steal = 1}, true, work_s), expected_s, 1e-12);
}

TEST(VirtualSteal, AWaitingRendezvousStealsNothing) {
  run_virtual(virtual_machine_from("L=5us,G=1ns,break=1,steal=1"), 2, [](VirtualRank& self) {
    const Transfer transfer{.peer = 1 - self.team.rank(), .size_bytes = 1000};
    self.transport.reserve(1000);
    self.transport.start(transfer);
    self.worker.work(measure::WorkKind::registers, 100'000);      // both compute before either expects
    EXPECT_NEAR(self.team.now_s(), 100 * us + latency_s, 1e-12);  // only the request's flight was lost
    self.transport.expect(transfer);
    self.transport.finish();
  });
}

}  // namespace
}  // namespace stretto::known_answers
