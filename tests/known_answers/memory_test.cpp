// SPDX-License-Identifier: BSD-3-Clause
// A virtual transport carries bytes: the content at the time of sending, to the right place.
#include "known_answers/memory.hpp"

#include <gtest/gtest.h>

#include <string>

#include "known_answers/run.hpp"

namespace stretto::known_answers {
namespace {

void run(const std::string& spec, int ranks, const std::function<void(VirtualRank&)>& body) {
  run_virtual(virtual_machine_from(spec), ranks, [&](VirtualRank& self) {
    self.transport.reserve(4096);
    body(self);
  });
}

Transfer message(ChannelOperation operation, int peer, std::size_t size_bytes) {
  return {.operation = operation, .peer = peer, .size_bytes = size_bytes};
}

TEST(VirtualMemory, HoldsWhatIsReserved) {
  VirtualMemory memory(1);
  memory.reserve(100);
  memory.reserve(50);
  EXPECT_TRUE(memory.holds(0, 100));
  EXPECT_TRUE(memory.holds(100, 0));
  EXPECT_FALSE(memory.holds(1, 100));
  EXPECT_FALSE(memory.holds(SIZE_MAX, 2));
}

TEST(VirtualMemory, UnfilledBytesArriveAsZeros) {
  VirtualMemory memory(2);
  memory.reserve(64);
  const Piece piece{.from = 0, .to = 1, .offset_bytes = 8, .receive_offset_bytes = 8, .size_bytes = 16};
  memory.fill(1, 7);  // the receiver only
  memory.deliver(piece, Content{7});
  EXPECT_TRUE(memory.arrived(piece, 7));
  memory.deliver(piece, memory.content(0));
  EXPECT_FALSE(memory.arrived(piece, 7));
}

TEST(VirtualMemory, CarriesTheBytes) {
  for (const ChannelOperation operation :
       {ChannelOperation::send, ChannelOperation::put, ChannelOperation::get}) {
    for (const char* spec :
         {"L=5us,G=1ns", "L=5us,G=1ns,break=1000,G2=2ns", "G=1ns,overlap=0", "G=1ns,overlap=0.3,steal=0.5"}) {
      run(spec, 3, [&](VirtualRank& self) {
        const int me = self.team.rank();
        self.transport.fill(42);
        char token = 0;
        self.team.share(token);  // no rank starts before all have filled
        (void)self.team.collect(token);
        const Transfer transfer{
            .operation = operation, .peer = me == 0 ? 2 : 0, .size_bytes = 2000, .offset_bytes = 77};
        const bool receives = operation == ChannelOperation::get ? me == 0 : me == 2;
        EXPECT_FALSE(self.transport.arrived(transfer, 42));
        if (me == 0) self.transport.start(transfer);
        if (me == 2 && operation == ChannelOperation::send) self.transport.expect(transfer);
        self.transport.finish();
        (void)self.team.collect(token);
        self.team.share(token);
        EXPECT_EQ(self.transport.arrived(transfer, 42), receives) << spec << " " << to_string(operation);
        EXPECT_FALSE(self.transport.arrived(transfer, 43));
        Transfer shifted = transfer;
        ++shifted.offset_bytes;
        EXPECT_FALSE(self.transport.arrived(shifted, 42)) << "one byte too many";
      });
    }
  }
}

// The sender may change its buffer after finish(), although the bytes are still in flight.
TEST(VirtualMemory, FillAfterFinishDoesNotChangeSentData) {
  run("L=100us,G=1ns", 2, [](VirtualRank& self) {
    const Transfer transfer = message(ChannelOperation::send, 1 - self.team.rank(), 64);
    self.transport.fill(1);
    if (self.team.rank() == 0) {
      self.transport.start(transfer);
      self.transport.finish();
      self.transport.fill(2);
    } else {
      self.transport.expect(transfer);
      self.transport.finish();
      EXPECT_TRUE(self.transport.arrived(transfer, 1));
    }
  });
}

// An unexpected message waits outside of the incoming buffer.
TEST(VirtualMemory, FillBeforeExpectDoesNotLoseTheMessage) {
  run("L=1us,G=1ns", 2, [](VirtualRank& self) {
    const Transfer transfer = message(ChannelOperation::send, 1 - self.team.rank(), 64);
    self.transport.fill(1);
    if (self.team.rank() == 0) {
      self.transport.start(transfer);
    } else {
      self.team.wait_until(1e-3);
      self.transport.fill(1);
      EXPECT_FALSE(self.transport.arrived(transfer, 1));
      self.transport.expect(transfer);
    }
    self.transport.finish();
    EXPECT_EQ(self.transport.arrived(transfer, 1), self.team.rank() == 1);
  });
}

}  // namespace
}  // namespace stretto::known_answers
