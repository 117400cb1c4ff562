// SPDX-License-Identifier: BSD-3-Clause
// The origin's side of the engine: it turns operations into packets, and posts the receives for replies.
#include <algorithm>
#include <utility>

#include "mpi/check.hpp"
#include "onesided/engine/engine.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

constexpr int min_segments = 2;                                   // segments of the first RTS of a put
constexpr std::size_t max_detached_bytes = std::size_t{1} << 30;  // a packet counts them in 32 bits

}  // namespace

bool Engine::send_queued() {
  bool moved = false;
  while (!send_queue_.empty()) {
    const std::shared_ptr<MessageOperation> operation = send_queue_.front();
    while (!operation->all_sent && send_packet(operation)) moved = true;
    if (!operation->all_sent) break;
    send_queue_.pop_front();
  }
  return moved;
}

PacketHeader Engine::fill(MessageOperation& operation, PacketWriter& writer, std::vector<Piece>& pieces) {
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

std::size_t Engine::detached_segments(const MessageOperation& operation) const {
  const bool put =
      operation.kind == PacketKind::put && use_rendezvous_ && request_sends_.slots() > min_segments;
  if (operation.packed != nullptr || operation.cursor.done()) return 0;
  if (!put && operation.kind != PacketKind::get) return 0;
  const std::size_t size = std::min(operation.cursor.next().size_bytes, max_detached_bytes);
  const std::size_t whole = size / segment_bytes_;
  if (!put) return std::min(whole, reply_receives_.available());
  if (whole < min_segments && !operation.block_begun) return 0;
  return whole + (size % segment_bytes_ == 0 ? 0 : 1);
}

bool Engine::waits_for_credits(const MessageOperation& operation, std::size_t segments) const {
  if (operation.kind == PacketKind::put) {
    const std::size_t enough = std::max<std::size_t>(request_sends_.slots() / 4, min_segments);
    return request_sends_.available() - 1 < std::min(segments, enough);
  }
  const bool limited_by_credits = segments > 0 && segments == reply_receives_.available();
  return operation.kind == PacketKind::get && operation.outstanding_replies > 0 && limited_by_credits &&
         4 * segments < static_cast<std::size_t>(reply_receives_.slots());
}

std::uint32_t Engine::post_reply_receives(const std::shared_ptr<MessageOperation>& operation,
                                          std::size_t size_bytes, std::vector<Piece>&& pieces) {
  const std::uint32_t first = next_reply_[static_cast<std::size_t>(operation->target)];
  if (size_bytes <= segment_bytes_) {
    post_reply_receive(operation, size_bytes, std::move(pieces));
    return first;
  }
  Piece part = pieces.front();  // there is only one
  part.size_bytes = segment_bytes_;
  for (std::size_t done = 0; done < size_bytes; done += segment_bytes_) {
    post_reply_receive(operation, segment_bytes_, {part});
    part.local += segment_bytes_;
  }
  return first;
}

void Engine::post_reply_receive(const std::shared_ptr<MessageOperation>& operation, std::size_t size_bytes,
                                std::vector<Piece>&& pieces) {
  const int slot = reply_receives_.take();
  const int tag = reply_tag(next_reply_[static_cast<std::size_t>(operation->target)]++);
  const bool in_place = pieces.size() == 1 && !copies_all_;
  std::byte* const destination = in_place ? pieces.front().local : reply_receives_.buffer(slot);
  outstanding_replies_[static_cast<std::size_t>(slot)] = {
      .operation = operation, .pieces = std::move(pieces), .in_place = in_place};
  ++operation->outstanding_replies;
  check(MPI_Irecv(destination, static_cast<int>(size_bytes), MPI_BYTE, operation->target, tag,
                  replies_communicator_.get(), &requests_[reply_receives_.request(slot)]),
        "MPI_Irecv");
}

void Engine::send_segments(const std::shared_ptr<MessageOperation>& operation, const Piece& block,
                           std::uint32_t number) {
  for (std::size_t done = 0; done < block.size_bytes; done += segment_bytes_) {
    const int slot = request_sends_.take();
    send_targets_[static_cast<std::size_t>(slot)] = operation->target;
    send_operations_[static_cast<std::size_t>(slot)] = operation;
    ++operation->outstanding_sends;
    counters_.message(operation->target, Path::message);
    const std::size_t size = std::min(segment_bytes_, block.size_bytes - done);
    check(
        MPI_Isend(block.local + done, static_cast<int>(size), MPI_BYTE, operation->target, data_tag(number++),
                  replies_communicator_.get(), &requests_[request_sends_.request(slot)]),
        "MPI_Isend");
  }
  moved_bytes_ += block.size_bytes;
}

// The answer comes while the program computes, so that a later fence need not wait for one.
void Engine::query_completion(int target) {
  auto query = std::make_shared<MessageOperation>(PacketKind::fence, target, Layout{});
  if (send_packet(query)) completion_queries_[static_cast<std::size_t>(target)] = std::move(query);
}

bool Engine::send_packet(const std::shared_ptr<MessageOperation>& operation) {
  const bool replied = is_replied_to(operation->kind);
  if (request_sends_.is_empty() || (replied && reply_receives_.is_empty())) return false;
  std::size_t segments = detached_segments(*operation);
  if (waits_for_credits(*operation, segments)) return false;
  const bool by_rendezvous = operation->kind == PacketKind::put && segments > 0;
  // The RTS takes one of the send buffers.
  if (by_rendezvous) segments = std::min(segments, request_sends_.available() - 1);
  const PacketKind kind = by_rendezvous ? PacketKind::rendezvous : operation->kind;
  const int slot = request_sends_.take();
  send_targets_[static_cast<std::size_t>(slot)] = operation->target;
  const std::size_t block_bytes = by_rendezvous ? operation->cursor.next().size_bytes : 0;
  const std::size_t limit_bytes = std::max(segments, std::size_t{1}) * segment_bytes_;
  // An RTS is of one block only.
  PacketWriter writer(request_sends_.buffer(slot), packet_bytes_, kind,
                      by_rendezvous ? std::min(limit_bytes, block_bytes) : limit_bytes);
  std::vector<Piece> pieces;
  PacketHeader header = fill(*operation, writer, pieces);
  const Piece block = by_rendezvous ? pieces.front() : Piece{};
  const auto target = static_cast<std::size_t>(operation->target);
  header.sequence = next_sent_[target]++;
  header.continues = std::exchange(operation->begun, true) ? 1 : 0;
  header.segment_bytes = static_cast<std::uint32_t>(segment_bytes_);
  if (replied) {
    const std::size_t size = kind == PacketKind::atomic ? sizeof(std::uint64_t) : writer.detached_bytes();
    header.first_number = post_reply_receives(operation, size, std::move(pieces));
  } else {
    ++stores_sent_[target];
  }
  if (by_rendezvous) {
    header.first_number = next_segment_[target];
    next_segment_[target] += static_cast<std::uint32_t>(segments);
  }
  if (carries_data(kind)) counters_.copy(operation->target, Path::message, writer.data_bytes());
  if (kind == PacketKind::fence) {
    operation->result = stores_sent_[target];
    counters_.fence(operation->target);
  } else {
    counters_.message(operation->target, Path::message);
  }
  const std::size_t length = writer.finish(header);
  moved_bytes_ += length;
  check(MPI_Isend(request_sends_.buffer(slot), static_cast<int>(length), MPI_BYTE, operation->target,
                  request_tag, requests_communicator_.get(), &requests_[request_sends_.request(slot)]),
        "MPI_Isend");
  if (by_rendezvous) {
    send_segments(operation, block, header.first_number);
    operation->rendezvous = true;
    operation->block_begun = block.size_bytes < block_bytes;
  }
  // The flag of a put tells its target, and a fence seldom follows.
  if (operation->rendezvous && operation->all_sent && operation->flag.region == no_region)
    query_completion(operation->target);
  operation
      ->complete_if_finished();  // the data of an eager store is all in buffers: the source may be reused
  return true;
}

}  // namespace stretto::onesided
