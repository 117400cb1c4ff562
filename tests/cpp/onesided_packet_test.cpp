// SPDX-License-Identifier: BSD-3-Clause
// Data written into packets of any size is read back, and counting without a buffer agrees.
#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "onesided/engine/packet.hpp"

namespace stretto::onesided {
namespace {

using PlacedByte = std::tuple<std::uint32_t, std::size_t, std::byte>;  // region, offset, byte

struct Packed {
  std::vector<PlacedByte> bytes;
  std::size_t packets = 0;
};

/// Puts through buffers of `capacity`; checks that counting without a buffer gives the same packets.
Packed through_packets(const std::vector<Piece>& pieces, std::size_t capacity, std::size_t granule) {
  Packed result;
  std::vector<std::byte> buffer(capacity);
  std::size_t index = 0;
  std::size_t used = 0;
  while (index < pieces.size()) {
    PacketWriter writer(buffer.data(), capacity, PacketKind::put, 0);
    PacketWriter counter(nullptr, capacity, PacketKind::put, 0);
    bool full = false;
    while (!full && index < pieces.size()) {
      Piece rest = pieces[index];
      rest.local += used;
      rest.offset += used;
      rest.size_bytes -= used;
      const std::size_t taken = writer.add(rest, granule);
      EXPECT_EQ(counter.add(rest, granule), taken);
      EXPECT_EQ(taken % granule, 0U);
      full = taken < rest.size_bytes;
      used = full ? used + taken : 0;
      if (!full) ++index;
    }
    const std::size_t length = writer.finish({.sequence = result.packets});
    EXPECT_LE(length, capacity);
    EXPECT_EQ(counter.finish({}), length);
    EXPECT_EQ(read_header(buffer.data()).sequence, result.packets);
    EXPECT_GT(length, sizeof(PacketHeader)) << "an empty packet: no progress";
    ++result.packets;
    for_each_run({buffer.data(), length},
                 [&](std::uint32_t region, const PacketRun& run, const std::byte* data) {
                   for (std::size_t i = 0; i < std::size_t{run.count} * run.size_bytes; ++i) {
                     const std::size_t block = i / run.size_bytes;
                     const std::size_t offset = run.offset + block * run.stride + i % run.size_bytes;
                     result.bytes.emplace_back(region, offset, data[i]);
                   }
                 });
    if (length <= sizeof(PacketHeader)) break;
  }
  return result;
}

std::vector<PlacedByte> bytes_of(const std::vector<Piece>& pieces) {
  std::vector<PlacedByte> bytes;
  for (const Piece& piece : pieces) {
    for (std::size_t i = 0; i < piece.size_bytes; ++i) {
      bytes.emplace_back(piece.region, piece.offset + i, piece.local[i]);
    }
  }
  return bytes;
}

TEST(Packet, PiecesRoundTrip) {
  std::mt19937 random(7);
  std::vector<std::byte> memory(5000);
  for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 300; ++round) {
    const std::size_t granule = std::size_t{1} << below(5);
    const std::size_t stride = granule * (1 + below(4));
    std::vector<Piece> pieces;
    std::size_t offset = granule * below(100);
    for (std::size_t i = below(60) + 1; i > 0; --i) {
      const bool regular = below(3) > 0 && !pieces.empty();
      const std::size_t size =
          regular ? pieces.back().size_bytes : granule * (1 + below(below(10) == 0 ? 100 : 4));
      offset = regular ? offset + stride : granule * below(1000);
      const auto region = regular ? pieces.back().region : static_cast<std::uint32_t>(below(3));
      pieces.push_back({memory.data() + below(5000 - size), offset, size, region});
    }
    const std::size_t capacity = sizeof(PacketHeader) + 2 * sizeof(PacketRun) + 16 + below(900);
    EXPECT_EQ(through_packets(pieces, capacity, granule).bytes, bytes_of(pieces)) << "round " << round;
  }
}

TEST(Packet, BlocksAStrideApartShareOneHead) {
  std::vector<std::byte> memory(8000);
  std::vector<Piece> regular;
  std::vector<Piece> scattered;
  for (std::size_t i = 0; i < 1000; ++i) {
    regular.push_back({memory.data() + 8 * i, 24 * i, 8, 1});
    scattered.push_back({memory.data() + 8 * i, i * i * 8, 8, 1});
  }
  const std::size_t exact = sizeof(PacketHeader) + 2 * sizeof(PacketRun) + 8000;
  EXPECT_EQ(through_packets(regular, exact, 1).packets, 1U);
  EXPECT_GT(through_packets(scattered, exact, 1).packets, 1U);
}

TEST(Packet, AWriterContinuesAnothersPacket) {
  std::vector<std::byte> memory(64);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i);
  const std::size_t capacity = 400;
  std::vector<std::byte> first(capacity);
  std::vector<std::byte> second(capacity);
  PacketWriter begun(first.data(), capacity, PacketKind::put, 0);
  PacketWriter whole(second.data(), capacity, PacketKind::put, 0);
  EXPECT_TRUE(begun.is_empty());
  for (std::size_t i = 0; i < 4; ++i) {
    const Piece piece{memory.data() + 8 * i, 24 * i, 8, 3};
    EXPECT_EQ(begun.add(piece, 1), 8U);
    EXPECT_EQ(whole.add(piece, 1), 8U);
  }
  EXPECT_FALSE(begun.is_empty());
  std::vector<std::byte> third(capacity);
  PacketWriter copied(third.data(), capacity, PacketKind::put, 0);
  copied.continue_from(begun);
  const Piece last{memory.data() + 40, 96, 8, 3};  // one more block of the same run
  EXPECT_EQ(copied.add(last, 1), 8U);
  EXPECT_EQ(whole.add(last, 1), 8U);
  EXPECT_EQ(copied.finish({.sequence = 4}), whole.finish({.sequence = 4}));
  EXPECT_EQ(third, second);
}

TEST(Packet, AGetRequestsNoMoreThanItsReplyBufferHolds) {
  std::byte nowhere{};
  std::vector<std::byte> buffer(500);
  PacketWriter writer(buffer.data(), buffer.size(), PacketKind::get, 100);
  EXPECT_EQ(writer.add({&nowhere, 0, 60, 0}, 1), 60U);
  EXPECT_EQ(writer.add({&nowhere, 70, 60, 0}, 1), 40U);
  EXPECT_EQ(writer.add({&nowhere, 200, 1, 0}, 1), 0U);
  EXPECT_EQ(writer.detached_bytes(), 100U);
  const std::size_t length = writer.finish({.first_number = 5});
  EXPECT_EQ(length, sizeof(PacketHeader) + 3 * sizeof(PacketRun));  // no data in it
  EXPECT_EQ(read_header(buffer.data()).detached_bytes, 100U);
}

TEST(Packet, AnRtsIsAsShortAsARequest) {
  std::byte nowhere{};
  std::vector<std::byte> buffer(500);
  PacketWriter writer(buffer.data(), buffer.size(), PacketKind::rendezvous, 4096);
  EXPECT_EQ(writer.add({&nowhere, 8, 5000, 2}, 1), 4096U);
  const std::size_t length = writer.finish({});
  EXPECT_EQ(length, sizeof(PacketHeader) + 2 * sizeof(PacketRun));
  EXPECT_EQ(read_header(buffer.data()).detached_bytes, 4096U);
  int runs = 0;
  for_each_run({buffer.data(), length},
               [&](std::uint32_t region, const PacketRun& run, const std::byte* data) {
                 ++runs;
                 EXPECT_EQ(region, 2U);
                 EXPECT_EQ(run.offset, 8U);
                 EXPECT_EQ(run.size_bytes, 4096U);
                 EXPECT_EQ(run.count, 1U);
                 EXPECT_EQ(data, nullptr);
               });
  EXPECT_EQ(runs, 1);
}

constexpr std::size_t one_block_head =
    sizeof(PacketHeader) + 2 * sizeof(PacketRun);  // its region and its run

/// The number of bytes of one contiguous piece that a put packet of `capacity` bytes holds.
std::size_t taken_of_one_piece(std::size_t capacity, std::size_t size_bytes, std::size_t granule) {
  std::vector<std::byte> data(size_bytes);
  std::vector<std::byte> buffer(capacity);
  PacketWriter writer(buffer.data(), capacity, PacketKind::put, 0);
  return writer.add({data.data(), 0, size_bytes, 1}, granule);
}

TEST(Packet, IsFilledToItsLastByteAndNotBeyond) {
  EXPECT_EQ(taken_of_one_piece(one_block_head + 64, 64, 1), 64U);
  EXPECT_EQ(taken_of_one_piece(one_block_head + 63, 64, 1), 63U);
  EXPECT_EQ(taken_of_one_piece(one_block_head + 63, 64, 8), 56U) << "whole elements only";
  EXPECT_EQ(taken_of_one_piece(one_block_head + 1, 64, 1), 1U);
  EXPECT_EQ(taken_of_one_piece(one_block_head, 64, 1), 0U);
  EXPECT_EQ(taken_of_one_piece(one_block_head - 1, 64, 1), 0U);
}

TEST(Packet, AGetPacketHoldsAtLeastTheHeader) {
  std::byte nowhere{};
  for (const std::size_t missing : {0, 1}) {
    std::vector<std::byte> buffer(one_block_head);
    PacketWriter writer(buffer.data(), buffer.size() - missing, PacketKind::get, 100);
    EXPECT_EQ(writer.add({&nowhere, 0, 60, 1}, 1), missing == 0 ? 60U : 0U);
  }
}

TEST(Packet, ABlockOfARunMayFillThePacketAndIsCutWhereItDoesNotFit) {
  std::vector<std::byte> data(16);
  for (const std::size_t space : {16, 15}) {
    std::vector<std::byte> buffer(one_block_head + space);
    PacketWriter writer(buffer.data(), buffer.size(), PacketKind::put, 0);
    EXPECT_EQ(writer.add({data.data(), 0, 8, 1}, 1), 8U);
    // A cut block needs its own run header, for which these 7 bytes are too few.
    EXPECT_EQ(writer.add({data.data() + 8, 24, 8, 1}, 1), space == 16 ? 8U : 0U);
    EXPECT_EQ(writer.finish({}), space == 16 ? buffer.size() : buffer.size() - 7);
  }
}

TEST(Packet, ARepeatedRegionIsEncodedOnce) {
  std::vector<std::byte> data(24);
  std::vector<std::byte> buffer(one_block_head + sizeof(PacketRun) + 24);
  PacketWriter writer(buffer.data(), buffer.size(), PacketKind::put, 0);
  EXPECT_EQ(writer.add({data.data(), 0, 8, 1}, 1), 8U);
  EXPECT_EQ(writer.add({data.data(), 100, 16, 1}, 1), 16U);
  EXPECT_EQ(writer.finish({}), buffer.size());
}

TEST(Packet, ARequestWaitsForReplyBuffersAndBudgetOnlyWhereItIsRepliedTo) {
  for (const PacketKind kind : {PacketKind::get, PacketKind::atomic, PacketKind::fence}) {
    EXPECT_FALSE(must_wait({.kind = kind}, {}));
    EXPECT_TRUE(must_wait({.kind = kind}, {.has_reply_buffer = false}));
    EXPECT_TRUE(must_wait({.kind = kind}, {.has_budget = false}));
  }
  for (const PacketKind kind : {PacketKind::put, PacketKind::rendezvous, PacketKind::accumulate,
                                PacketKind::update, PacketKind::call}) {
    EXPECT_FALSE(must_wait({.kind = kind}, {.has_reply_buffer = false, .has_budget = false}));
  }
}

TEST(Packet, ARequestDoesNotOvertakeSegmentsOfEarlierOperations) {
  for (const PacketKind kind : {PacketKind::put, PacketKind::rendezvous, PacketKind::get,
                                PacketKind::accumulate, PacketKind::atomic, PacketKind::fence}) {
    EXPECT_TRUE(must_wait({.kind = kind}, {.outstanding_segments = 1}));
    EXPECT_FALSE(must_wait({.kind = kind, .continues = 1}, {.outstanding_segments = 1}))
        << "the same operation";
  }
}

TEST(Packet, AFlagComesAfterTheSegmentsOfItsOwnPut) {
  const PacketFlag flag{.region = 1};
  EXPECT_TRUE(
      must_wait({.kind = PacketKind::put, .continues = 1, .flag = flag}, {.outstanding_segments = 1}));
  EXPECT_FALSE(must_wait({.kind = PacketKind::put, .continues = 1, .flag = flag}, {}));
  EXPECT_FALSE(
      must_wait({.kind = PacketKind::rendezvous, .continues = 1, .flag = flag}, {.outstanding_segments = 1}))
      << "its RTS is served first";
}

TEST(Packet, AFenceWaitsForTheHandlersOfActiveMessages) {
  EXPECT_TRUE(must_wait({.kind = PacketKind::fence}, {.waiting_calls = 1}));
  EXPECT_FALSE(must_wait({.kind = PacketKind::put}, {.waiting_calls = 1}));
}

TEST(Packet, DataSegmentsHaveTagsOfTheirOwnInTheOrderOfTheirBytes) {
  const PacketHeader header{.first_number = 0x3FFF, .segment_bytes = 1024};
  EXPECT_EQ(number_at(header, 0), 0x3FFFU);
  EXPECT_EQ(number_at(header, 1024), 0x4000U);
  EXPECT_EQ(number_at(header, 3 * 1024), 0x4002U);
  EXPECT_EQ(reply_tag(0x3FFF), 0x3FFF);
  EXPECT_EQ(reply_tag(0x4000), 0) << "tags wrap around";
  EXPECT_EQ(data_tag(0), 0x4000);
  EXPECT_EQ(data_tag(0x7FFF), 0x7FFF) << "the largest tag that every MPI has";
}

}  // namespace
}  // namespace stretto::onesided
