// SPDX-License-Identifier: BSD-3-Clause
// The delays of the progress models: 1001 bytes at 10 ns per byte take 10 us on the wire. Both ranks compute
// for 50 us between starting the message and waiting for it. L is 1 us, and nothing else takes time.
#include <gtest/gtest.h>

#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

/// Both compute `before` ns, start, compute 50 us in `pieces` with a call between them, and wait.
Schedule overlapped(std::uint64_t receiver_late_ns, int pieces) {
  NonblockingCode code;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    code.compute(rank == 0 ? 0 : receiver_late_ns);
    code.start(rank == 0 ? send(1001, 1) : receive(1001, 0));
    for (int piece = 0; piece < pieces; ++piece) code.compute(static_cast<std::uint64_t>(50'000 / pieces));
    code.wait();
    code.end_rank();
  }
  return code.builder.finish();
}

double makespan_us(const Schedule& schedule, const std::string& model, const std::string& eager = "S=100") {
  network::Network network = network::network_from("L=1us,G=10ns," + eager);
  network::set_progress(network, model);
  return 1e6 * replayed(schedule, network).makespan_s;
}

constexpr double exact = 1e-9;

TEST(ReplayProgress, OffloadHidesAll) { EXPECT_NEAR(makespan_us(overlapped(0, 1), "offload"), 50, exact); }

TEST(ReplayProgress, EagerMessagesNeedNoProgressUnderAnyModel) {
  for (const char* model : {"eager-only", "inside-calls", "thread=20us"}) {
    EXPECT_NEAR(makespan_us(overlapped(0, 1), model, "S=64KiB"), 50, exact) << model;
  }
}

TEST(ReplayProgress, ARendezvousWaitsForTheSendersNextCall) {
  // The request arrives at 1 us during computation. The receiver replies at 51 us: L, the bytes, L.
  EXPECT_NEAR(makespan_us(overlapped(0, 1), "eager-only"), 50 + 1 + 10 + 1, exact);
  EXPECT_NEAR(makespan_us(overlapped(0, 1), "inside-calls"), 50 + 1 + 10 + 1, exact);
}

TEST(ReplayProgress, CallsBetweenComputationProgressTheHandshakeAndSomeBytes) {
  // Calls every 10 us: the reply leaves at 10 and arrives at 11; the bytes move from the call at 20 on.
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "eager-only"), 50, exact);
  // The calls at 20, 30 and 40 hand over an eager message's 100 bytes each; the rest leaves from 50 on.
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "inside-calls"), 50 + 10 - 3 * 0.99 + 1, exact);
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "inside-calls", "S=1"), 50 + 10 + 1, exact);
}

TEST(ReplayProgress, ACallHandsOverAsManyBytesAsTheBufferTakes) {
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "inside-calls", "S=100,B=251"), 50 + 10 - 3 * 2.5 + 1, exact);
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "inside-calls", "S=100,B=501"), 50, exact);
}

TEST(ReplayProgress, AnEagerMessageThatIsLongerThanTheBufferStalls) {
  EXPECT_NEAR(makespan_us(overlapped(0, 1), "inside-calls", "S=2000,B=251"), 50 + 10 - 2.5 + 1, exact);
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "inside-calls", "S=2000,B=101"), 50 + 10 - 5 + 1, exact);
  EXPECT_NEAR(makespan_us(overlapped(0, 5), "inside-calls", "S=2000,B=201"), 50, exact);
  for (const char* model : {"offload", "eager-only", "thread=5us"}) {
    EXPECT_NEAR(makespan_us(overlapped(0, 1), model, "S=2000,B=251"), 50, exact) << model;
  }
}

/// Rank 0 sends two messages of 1001 bytes, waits for both, and computes 50 us.
Schedule two_sent() {
  NonblockingCode code;
  for (int i = 0; i < 2; ++i) code.start(send(1001, 1));
  code.wait();
  code.compute(50'000);
  code.end_rank();
  for (int i = 0; i < 2; ++i) code.start(receive(1001, 0));
  code.end_rank();
  return code.builder.finish();
}

TEST(ReplayProgress, ASendIsOverOnceItsLastBytesAreBuffered) {
  for (const char* model : {"offload", "eager-only", "inside-calls", "thread=5us"}) {
    EXPECT_NEAR(makespan_us(two_sent(), model, "S=2000,B=501"), 20 - 5 + 50, exact) << model;
    EXPECT_NEAR(makespan_us(two_sent(), model, "S=2000,B=2500"), 50, exact) << "S and B hold all";
  }
}

/// Rank 1 sends 6001 bytes and waits. Rank 0 computes 50 us, sends 1001 bytes, and waits.
Schedule both_ways() {
  NonblockingCode code;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const bool late = rank == 0;
    code.start(receive(late ? 6001 : 1001, 1 - rank));
    code.compute(late ? 50'000 : 0);
    code.start(send(late ? 1001 : 6001, 1 - rank));
    code.wait();
    code.end_rank();
  }
  return code.builder.finish();
}

TEST(ReplayProgress, AnAnswerWaitsBehindTheDataOfItsRankThatTheBufferHolds) {
  // Rank 0's thread answers at 5, and rank 1's data leaves from 6 to 66. Rank 0's request is there at 51.
  EXPECT_NEAR(makespan_us(both_ways(), "thread=5us"), 66 + 1, exact);
  EXPECT_NEAR(makespan_us(both_ways(), "thread=5us", "S=100,B=501"), 51 + 5 + 1 + 10 + 1, exact);
  EXPECT_NEAR(makespan_us(both_ways(), "thread=5us", "S=100,B=8001"), 66 + 1 + 10 + 1, exact);
  EXPECT_NEAR(makespan_us(both_ways(), "offload", "S=100,B=8001"), 2 + 60 + 1, exact) << "adapters answer";
}

/// Rank 0 sends 6001 bytes, computes from 3 to 53 us, and sends 1001 bytes more. The receives of rank 1 name
/// card `nic`.
Schedule one_after_another(std::uint8_t nic) {
  NonblockingCode code;
  code.start(send(6001, 1, 0));
  code.compute(3'000, 1);
  code.compute(50'000);
  code.start(send(1001, 1, 1));
  code.end_rank();
  for (ScheduleOperation one : {receive(6001, 0, 0), receive(1001, 0, 1)}) {
    one.nic = nic;
    code.start(one);
  }
  code.end_rank();
  return code.builder.finish();
}

TEST(ReplayProgress, ARequestWaitsBehindTheDataOfItsRank) {
  // The first message leaves from 2 to 62. The second's request is ready at 53, and its data waits anyway.
  const auto with = [](const char* parameters) {
    return makespan_us(one_after_another(0), "eager-only", parameters);
  };
  EXPECT_NEAR(with("S=100"), 62 + 10 + 1, exact);
  EXPECT_NEAR(with("S=100,B=501"), 62 + 10 + 1, exact)
      << "the request leaves at 58, the answer is back at 60";
  EXPECT_NEAR(with("S=100,B=8001"), 62 + 2 + 10 + 1, exact);
}

/// Rank 0 sends 6001 bytes to rank 1, computes from 3 to 53 us, and receives 1001 bytes that rank 2 sends
/// at 30 us.
Schedule answered_after_work() {
  NonblockingCode code;
  code.start(receive(1001, 2));
  code.start(send(6001, 1));
  code.compute(3'000, 1);
  code.compute(50'000);
  code.end_rank();
  code.start(receive(6001, 0));
  code.end_rank();
  code.compute(30'000);
  code.start(send(1001, 0));
  code.end_rank();
  return code.builder.finish();
}

TEST(ReplayProgress, AnAnswerDoesNotWaitBehindABufferThatComputationHasEmptied) {
  const Schedule schedule = answered_after_work();
  const CompiledSchedule compiled(schedule);
  const auto sent_us = [&](const char* model) {
    network::Network network = network::network_from("L=1us,G=10ns,S=100,B=1001");
    network::set_progress(network, model);
    Replayer replayer(schedule, compiled);
    (void)replayer.run(network);
    return 1e6 * replayer.end_s(2);
  };
  // Bytes leave from 2 to 13, and again from the call at 53 on: the answer goes before these.
  EXPECT_NEAR(sent_us("inside-calls"), 53 + 1 + 10, exact);
  EXPECT_NEAR(sent_us("eager-only"), 62 + 1 + 10, exact) << "all bytes have begun to leave";
}

TEST(ReplayProgress, TheCardOfAnAnswerIsThatOfTheMessage) {
  EXPECT_NEAR(makespan_us(one_after_another(7), "eager-only", "S=100,B=8001"), 62 + 2 + 10 + 1, exact);
}

TEST(ReplayProgress, AnAnswerDoesNotWaitBehindDataOfTheSameCall) {
  // Rank 0 answers at 50 and sends its request then: rank 1 sees both at 51, before it sends data.
  for (const char* buffer : {"S=100", "S=100,B=501", "S=100,B=8001"}) {
    EXPECT_NEAR(makespan_us(both_ways(), "inside-calls", buffer), 51 + 60 + 1, exact) << buffer;
  }
}

/// Both exchange `messages` of 1001 bytes in each of `steps`: each posts the receives, sends, and waits for
/// all. Rank 1 begins 5 us later, because it computes, or waits for a short message of rank 0.
Schedule exchanges(bool computes, int steps, std::uint32_t messages = 1) {
  NonblockingCode code;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    code.compute(rank == 1 && computes ? 5'000 : 0);
    if (!computes && rank == 0) {
      const std::uint32_t later = code.builder.add({.amount = 4'000, .cpu = 1});
      code.builder.require(code.builder.add(send(1, 1, 9)), later);
    } else if (!computes) {
      code.start(receive(1, 0, 9));
      code.wait();
    }
    for (int step = 0; step < steps; ++step) {
      for (std::uint32_t tag = 0; tag < messages; ++tag) code.start(receive(1001, 1 - rank, tag));
      for (std::uint32_t tag = 0; tag < messages; ++tag) code.start(send(1001, 1 - rank, tag));
      code.wait();
    }
    code.end_rank();
  }
  return code.builder.finish();
}

/// As Open MPI's ob1 was seen to do on the wire: the later rank has read the request in an earlier call. It
/// answers in its receive, and sends its own request behind that. The other one lets its data leave when it
/// has the answer, and answers the request behind that data. From then on they take turns with their data.
TEST(ReplayProgress, RanksOutOfStepTakeTurnsWithTheirData) {
  const auto exchanged_us = [](int steps, std::uint32_t messages, const char* model, const char* network) {
    return makespan_us(exchanges(false, steps, messages), model, network);
  };
  for (const char* model : {"inside-calls", "eager-only"}) {
    EXPECT_NEAR(exchanged_us(1, 1, model, "S=100,B=8001"), 5 + 1 + 10 + 1 + 10 + 1, exact) << model;
    EXPECT_NEAR(exchanged_us(3, 1, model, "S=100,B=8001"), 28 + 2 * (2 * 11 + 1), exact) << model;
    EXPECT_NEAR(exchanged_us(1, 2, model, "S=100,B=8001"), 5 + 1 + 20 + 1 + 20 + 1, exact) << model;
  }
  // A buffer that holds less of the data lets the answer overtake the rest.
  EXPECT_NEAR(exchanged_us(1, 1, "inside-calls", "S=100,B=201"), 5 + 1 + 2 + 1 + 10 + 1, exact);
}

/// It has not read the request while it computed: its own goes first, and both let their data leave at once.
TEST(ReplayProgress, ARankThatHasComputedSendsItsRequestBeforeItsAnswer) {
  EXPECT_NEAR(makespan_us(exchanges(true, 1), "inside-calls", "S=100,B=8001"), 5 + 2 + 10 + 1, exact);
  EXPECT_NEAR(makespan_us(exchanges(true, 1, 2), "inside-calls", "S=100,B=8001"), 5 + 2 + 20 + 1, exact);
}

/// Both exchange 1001 bytes with each other and with themselves in four calls. Rank 1 computes 5 us before
/// them, and `gap_ns` between them.
Schedule exchange_after_computation(std::uint64_t gap_ns) {
  NonblockingCode code;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    code.compute(rank == 1 ? 5'000 : 0);
    for (const auto& message :
         {receive(1001, rank), receive(1001, 1 - rank), send(1001, rank), send(1001, 1 - rank)}) {
      code.start(message);
      code.compute(rank == 1 ? gap_ns : 0);
    }
    code.wait();
    code.end_rank();
  }
  return code.builder.finish();
}

/// Calls that begin operations read nothing: the request is read in the wait, however many calls come before
/// the receive that it matches.
TEST(ReplayProgress, ARequestThatCameDuringComputationIsReadBehindAllCallsThatBeginOperations) {
  const auto exchanged_us = [](std::uint64_t gap_ns) {
    return makespan_us(exchange_after_computation(gap_ns), "inside-calls", "S=100,B=8001");
  };
  EXPECT_NEAR(exchanged_us(0), 5 + 2 + 10 + 1, exact);
  EXPECT_NEAR(exchanged_us(100), 5.3 + 2 + 10 + 1, exact);
  // After a longer time it was read in an earlier call, whose answer lets data leave first.
  EXPECT_NEAR(exchanged_us(2'000), 5 + 2 + 1 + 10 + 1 + 10 + 1, exact);
}

/// Rank 0 sends `messages` to rank 1, computes 50 us in `pieces` with a call between them, and waits.
Schedule several(std::uint32_t messages, int pieces) {
  NonblockingCode code;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (std::uint32_t i = 0; i < messages; ++i)
      code.start(rank == 0 ? send(1001, 1, i) : receive(1001, 0, i));
    for (int piece = 0; piece < pieces; ++piece) code.compute(static_cast<std::uint64_t>(50'000 / pieces));
    code.wait();
    code.end_rank();
  }
  return code.builder.finish();
}

TEST(ReplayProgress, AComputationDelaysMessagesThatWaitForOneCardOnce) {
  // Alone after the computation: answers at 51, then one message after another.
  EXPECT_NEAR(makespan_us(several(3, 1), "inside-calls", "S=1"), 50 + 1 + 3 * 10 + 1, exact);
  // Calls every 10 us: the first begins at 20, and is stalled by what follows.
  EXPECT_NEAR(makespan_us(several(3, 5), "inside-calls", "S=1"), 50 + 3 * 10 + 1, exact);
  // Handed over: 99 of 1000 bytes each at 20, 30 and 40, whichever message they belong to.
  EXPECT_NEAR(makespan_us(several(3, 5), "inside-calls"), 50 + 3 * 10 - 3 * 0.99 + 1, exact);
  // A call's 500 bytes end one message and begin the next.
  EXPECT_NEAR(makespan_us(several(3, 5), "inside-calls", "S=501"), 50 + 3 * 10 - 3 * 5 + 1, exact);
  EXPECT_NEAR(makespan_us(several(3, 5), "inside-calls", "S=751"), 50 + 3 * 10 - 3 * 7.5 + 1, exact);
}

TEST(ReplayProgress, AProgressThreadPollsOncePerPeriod) {
  // The request arrives at 1, the reply leaves at 20 and arrives at 21. The bytes move from 40 to 50 and
  // arrive at 51.
  EXPECT_NEAR(makespan_us(overlapped(0, 1), "thread=20us"), 51, exact);
  EXPECT_NEAR(makespan_us(overlapped(0, 1), "thread=5us"), 50, exact);
}

TEST(ReplayProgress, ALateReceiverDelaysItsSender) {
  // Posted at 200: the reply reaches the waiting sender at 201, and the bytes arrive at 212. The computation
  // ends at 250.
  EXPECT_NEAR(makespan_us(overlapped(200'000, 1), "eager-only"), 250, exact);
}

/// Rank 0 sends to rank 1, which sends on to rank 2, in the background of 50 us of computation.
Schedule forwarded() {
  ScheduleBuilder builder;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    const std::uint32_t entry = builder.add(calculate(0));
    std::uint32_t last = entry;
    const auto follow = [&](ScheduleOperation message) {
      message.cpu = background_cpu;
      const std::uint32_t number = builder.add(message);
      builder.require(number, last);
      last = number;
    };
    if (rank > 0) follow(receive(1001, rank - 1));
    if (rank < 2) follow(send(1001, rank + 1));
    const std::uint32_t work = builder.add(calculate(50'000));
    builder.require(work, entry);
    const std::uint32_t wait = builder.add(calculate(0));
    builder.require(wait, work);
    builder.require(wait, last);
    builder.end_rank();
  }
  return builder.finish();
}

TEST(ReplayProgress, RoundsOfACollectiveGoOnInTheBackground) {
  const std::string all_eager = "S=64KiB";
  EXPECT_NEAR(makespan_us(forwarded(), "offload", all_eager), 50, exact);
  // The message is at rank 1 at 11; it is sent on after the computation, or at the next poll.
  EXPECT_NEAR(makespan_us(forwarded(), "inside-calls", all_eager), 50 + 11, exact);
  EXPECT_NEAR(makespan_us(forwarded(), "eager-only", all_eager), 50 + 11, exact);
  EXPECT_NEAR(makespan_us(forwarded(), "thread=20us", all_eager), 50, exact);
  EXPECT_NEAR(makespan_us(forwarded(), "thread=45us", all_eager), 45 + 11, exact);
}

TEST(ReplayProgress, ModelsAreNamedAndNeedAnEagerSize) {
  network::Network network = network::network_from("L=1us,S=64KiB");
  network::set_progress(network, "thread=1ms");
  EXPECT_EQ(network::progress_text(network), "thread=0.001");
  EXPECT_THROW(network::set_progress(network, "thread"), std::invalid_argument);
  EXPECT_THROW(network::set_progress(network, "thread=0"), std::invalid_argument);
  EXPECT_THROW(network::set_progress(network, "magic"), std::invalid_argument);
  network::Network unlimited = network::network_from("L=1us");
  EXPECT_THROW(network::set_progress(unlimited, "eager-only"), std::invalid_argument);
  EXPECT_NO_THROW(network::set_progress(unlimited, "offload"));
}

}  // namespace
}  // namespace stretto::replay
