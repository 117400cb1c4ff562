// SPDX-License-Identifier: BSD-3-Clause
// The origin's side of the engine: operations become packets, and buffers or places are ready for what comes
// back.
#include <algorithm>
#include <utility>

#include "mpi/check.hpp"
#include "rma/engine/engine.hpp"

namespace stretto::rma {

using mpi::check;

namespace {

constexpr std::size_t most_apart_bytes = std::size_t{1} << 30;  // of one packet, which counts in 32 bits

}  // namespace

bool Engine::pump() {
  bool moved = false;
  while (!unsent_.empty()) {
    const std::shared_ptr<Operation> operation = unsent_.front();
    while (!operation->all_sent && send_packet(operation)) moved = true;
    if (!operation->all_sent) break;
    unsent_.pop_front();
  }
  return moved;
}

PacketHeader Engine::fill(Operation& operation, PacketWriter& writer, std::vector<Piece>& pieces) {
  if (operation.packed != nullptr) {
    writer.continue_from(operation.packed->writer);
    pieces = std::move(operation.packed->pieces);
    operation.packed = nullptr;
    operation.all_sent = true;
    return {};
  }
  const std::size_t granule = operation.kind == PacketKind::accumulate ? size_of(operation.scale.type) : 1;
  while (!operation.cursor.done()) {
    Piece piece = operation.cursor.next();
    const std::size_t taken = writer.add(piece, granule);
    const bool full = taken < piece.size_bytes;
    if (taken > 0) {
      operation.cursor.advance(taken);
      piece.size_bytes = taken;
      if (!writer.carries_data()) pieces.push_back(piece);
    }
    if (full) break;
  }
  operation.all_sent = operation.cursor.done();
  PacketHeader header{.scale = operation.scale, .atomic = operation.atomic};
  if (operation.all_sent) header.flag = operation.flag;
  return header;
}

std::size_t Engine::segments_apart(const Operation& operation) const {
  const bool put = operation.kind == PacketKind::put && announcing_ && operation.flag.region == no_region;
  if (operation.packed != nullptr || (!put && operation.kind != PacketKind::get)) return 0;
  const std::size_t whole = std::min(operation.cursor.next().size_bytes, most_apart_bytes) / segment_bytes_;
  // One of the requests sent is the announcement.
  return std::min(whole, put ? outgoing_.available() - 1 : replies_in_.available());
}

bool Engine::asks_for_few(const Operation& operation, std::size_t segments) const {
  const bool for_all_it_can = segments > 0 && segments == replies_in_.available();
  return operation.kind == PacketKind::get && operation.replies_to_come > 0 && for_all_it_can &&
         4 * segments < static_cast<std::size_t>(replies_in_.slots());
}

std::uint32_t Engine::expect_replies(const std::shared_ptr<Operation>& operation, std::size_t size_bytes,
                                     std::vector<Piece>&& pieces) {
  const std::uint32_t first = next_reply_[static_cast<std::size_t>(operation->target)];
  if (size_bytes <= segment_bytes_) {
    expect_reply(operation, size_bytes, std::move(pieces));
    return first;
  }
  Piece part = pieces.front();  // of the only one
  part.size_bytes = segment_bytes_;
  for (std::size_t done = 0; done < size_bytes; done += segment_bytes_) {
    expect_reply(operation, segment_bytes_, {part});
    part.local += segment_bytes_;
  }
  return first;
}

void Engine::expect_reply(const std::shared_ptr<Operation>& operation, std::size_t size_bytes,
                          std::vector<Piece>&& pieces) {
  const int slot = replies_in_.take();
  const int tag = reply_tag(next_reply_[static_cast<std::size_t>(operation->target)]++);
  std::byte* destination = pieces.size() == 1 ? pieces.front().local : replies_in_.buffer(slot);
  expected_[static_cast<std::size_t>(slot)] = {.operation = operation, .pieces = std::move(pieces)};
  ++operation->replies_to_come;
  check(MPI_Irecv(destination, static_cast<int>(size_bytes), MPI_BYTE, operation->target, tag,
                  replies_communicator_.get(), &requests_[replies_in_.request(slot)]),
        "MPI_Irecv");
}

void Engine::send_apart(const std::shared_ptr<Operation>& operation, const Piece& block,
                        std::uint32_t number) {
  for (std::size_t done = 0; done < block.size_bytes; done += segment_bytes_) {
    const int slot = outgoing_.take();
    sent_to_[static_cast<std::size_t>(slot)] = operation->target;
    sent_of_[static_cast<std::size_t>(slot)] = operation;
    ++operation->sends_to_end;
    counters_.message(operation->target, Path::message);
    check(MPI_Isend(block.local + done, static_cast<int>(segment_bytes_), MPI_BYTE, operation->target,
                    data_tag(number++), replies_communicator_.get(), &requests_[outgoing_.request(slot)]),
          "MPI_Isend");
  }
  moved_bytes_ += block.size_bytes;
}

// The answer comes while the program works, and a fence after that finds it there.
void Engine::ask_when_done(int target) {
  auto question = std::make_shared<Operation>(PacketKind::fence, target, Layout{});
  if (send_packet(question)) asked_[static_cast<std::size_t>(target)] = std::move(question);
}

bool Engine::send_packet(const std::shared_ptr<Operation>& operation) {
  const bool replied = is_replied_to(operation->kind);
  if (outgoing_.is_empty() || (replied && replies_in_.is_empty())) return false;
  const std::size_t segments = segments_apart(*operation);
  if (asks_for_few(*operation, segments)) return false;
  const bool announces = operation->kind == PacketKind::put && segments > 1;
  const PacketKind kind = announces ? PacketKind::announced : operation->kind;
  const int slot = outgoing_.take();
  sent_to_[static_cast<std::size_t>(slot)] = operation->target;
  PacketWriter writer(outgoing_.buffer(slot), packet_bytes_, kind,
                      std::max(segments, std::size_t{1}) * segment_bytes_);
  std::vector<Piece> pieces;
  PacketHeader header = fill(*operation, writer, pieces);
  const Piece block = announces ? pieces.front() : Piece{};
  const auto target = static_cast<std::size_t>(operation->target);
  header.sequence = next_sent_[target]++;
  header.continues = std::exchange(operation->begun, true) ? 1 : 0;
  header.segment_bytes = static_cast<std::uint32_t>(segment_bytes_);
  if (replied) {
    const std::size_t size = kind == PacketKind::atomic ? sizeof(std::uint64_t) : writer.apart_bytes();
    header.apart_number = expect_replies(operation, size, std::move(pieces));
  } else {
    ++stores_sent_[target];
  }
  if (announces) {
    header.apart_number = next_apart_[target];
    next_apart_[target] += static_cast<std::uint32_t>(segments);
  }
  if (kind == PacketKind::fence) {
    operation->result = stores_sent_[target];
    counters_.fence(operation->target);
  } else {
    counters_.message(operation->target, Path::message);
  }
  const std::size_t length = writer.finish(header);
  moved_bytes_ += length;
  check(MPI_Isend(outgoing_.buffer(slot), static_cast<int>(length), MPI_BYTE, operation->target, request_tag,
                  requests_communicator_.get(), &requests_[outgoing_.request(slot)]),
        "MPI_Isend");
  if (announces) {
    send_apart(operation, block, header.apart_number);
    operation->announced = true;
  }
  if (operation->announced && operation->all_sent) ask_when_done(operation->target);
  operation->settle();  // a store whose data is all in buffers now: the source may be reused
  return true;
}

}  // namespace stretto::rma
