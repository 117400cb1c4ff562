// SPDX-License-Identifier: BSD-3-Clause
// The target's side of the engine: it serves the requests of each source in the order in which they were
// sent.
#include <algorithm>
#include <stretto/error.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mpi/check.hpp"
#include "onesided/engine/engine.hpp"
#include "onesided/memory/memory_operations.hpp"

namespace stretto::onesided {

// MPI reports which receives are complete, but not in which order the messages were sent. Sequence numbers
// do.
bool Engine::serve() {
  bool moved = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < arrivals_.size();) {
      Arrival& arrival = arrivals_[i];
      std::uint64_t& next = next_served_[static_cast<std::size_t>(arrival.source)];
      const std::size_t served_before = arrival.served_bytes;
      if (arrival.header.sequence != next || !serve_packet(arrival)) {
        moved = moved || arrival.served_bytes != served_before;
        ++i;
        continue;
      }
      ++next;
      post_request_receive(arrival.slot);
      arrivals_.erase(arrivals_.begin() + static_cast<std::ptrdiff_t>(i));
      again = moved = true;
    }
  }
  return moved;
}

std::byte* Engine::memory(std::uint32_t region, std::uint64_t offset, std::size_t size_bytes) const {
  const auto found = regions_.find(region);
  if (found == regions_.end() || offset > found->second.memory.size() ||
      size_bytes > found->second.memory.size() - offset) {
    throw Error("a request to rank " + std::to_string(requests_communicator_.rank()) + " names region " +
                std::to_string(region) + ", byte " + std::to_string(offset) + " and " +
                std::to_string(size_bytes) + " further, which this rank does not have");
  }
  return found->second.memory.data() + offset;
}

/// False where it must wait.
bool Engine::serve_packet(Arrival& arrival) {
  const PacketHeader& header = arrival.header;
  const ServiceState state{
      .has_reply_buffer = !reply_sends_.is_empty(),
      .has_budget = moved_bytes_ < byte_budget_,
      .outstanding_segments = outstanding_segments_[static_cast<std::size_t>(arrival.source)],
      .waiting_calls = calls_.waiting(arrival.source)};
  if (must_wait(header, state)) return false;
  const std::span<const std::byte> packet{request_receives_.buffer(arrival.slot), arrival.length};
  switch (header.kind) {
    case PacketKind::get:
      return serve_get(arrival, packet);
    case PacketKind::rendezvous:
      return serve_rendezvous(arrival, packet);
    case PacketKind::put:
    case PacketKind::accumulate:
      serve_blocks(packet, header);
      break;
    case PacketKind::call:
      receive_call(arrival, packet);
      break;
    case PacketKind::fence:
      reply(arrival.source, reply_tag(header.first_number), reply_sends_.take(), nullptr, 0);
      break;
    case PacketKind::update:
    case PacketKind::atomic: {
      const PacketAtomic& atomic = header.atomic;
      const std::uint64_t before =
          update(memory(atomic.region, atomic.offset, atomic.size_bytes), atomic.operation, atomic.operand,
                 atomic.expected, atomic.size_bytes);
      if (header.kind == PacketKind::update) break;
      const int slot = reply_sends_.take();
      std::memcpy(reply_sends_.buffer(slot), &before, sizeof before);
      reply(arrival.source, reply_tag(header.first_number), slot, reply_sends_.buffer(slot), sizeof before);
    }
  }
  return true;
}

void Engine::serve_blocks(std::span<const std::byte> packet, const PacketHeader& header) {
  const bool adds = header.kind == PacketKind::accumulate;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte* data) {
    const std::size_t size = run.size_bytes;
    std::byte* const place = memory(region, run.offset, (run.count - 1) * run.stride + size);
    if (adds) {
      int& lock = *regions_.at(region).lock;
      for (std::uint32_t i = 0; i < run.count; ++i) {
        onesided::accumulate(place + i * run.stride, data + i * size, size, header.scale, lock);
      }
    } else {
      copy_blocks(place, run.stride, data, size, size, run.count);
    }
  });
  raise(header.flag);
}

void Engine::receive_call(const Arrival& arrival, std::span<const std::byte> packet) {
  std::vector<std::byte> payload;
  for_each_run(packet, [&](std::uint32_t, const PacketRun& run, const std::byte* data) {
    payload.assign(data, data + run.size_bytes);
  });
  calls_.add(arrival.header.atomic.region, arrival.source, std::move(payload));
}

void Engine::raise(const PacketFlag& flag) const {
  if (flag.region == no_region) return;
  raise_flag(memory(flag.region, flag.offset, flag.size_bytes), flag.value, flag.add != 0, flag.size_bytes);
}

/// The memory of the detached data where it is one block, else nullptr.
std::byte* Engine::single_block(const PacketHeader& header, std::span<const std::byte> packet) const {
  std::byte* block = nullptr;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte*) {
    if (run.size_bytes == header.detached_bytes) block = memory(region, run.offset, run.size_bytes);
  });
  return block;
}

// One block is sent from where it is; several are gathered in the slot's buffer.
bool Engine::serve_get(Arrival& arrival, std::span<const std::byte> packet) {
  if (const std::byte* const block = single_block(arrival.header, packet)) return reply_block(arrival, block);
  const int slot = reply_sends_.take();
  std::byte* const buffer = reply_sends_.buffer(slot);
  std::size_t gathered = 0;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte*) {
    const std::size_t size = run.size_bytes;
    const std::byte* const place = memory(region, run.offset, (run.count - 1) * run.stride + size);
    copy_blocks(buffer + gathered, size, place, run.stride, size, run.count);
    gathered += size * run.count;
  });
  reply(arrival.source, reply_tag(arrival.header.first_number), slot, buffer, gathered);
  return true;
}

bool Engine::reply_block(Arrival& arrival, const std::byte* block) {
  const PacketHeader& header = arrival.header;
  std::size_t& done = arrival.served_bytes;
  while (done < header.detached_bytes) {
    if (reply_sends_.is_empty() || moved_bytes_ >= byte_budget_) return false;
    const std::size_t size = std::min<std::size_t>(header.segment_bytes, header.detached_bytes - done);
    const int slot = reply_sends_.take();
    const std::byte* from = block + done;
    if (copies_all_) {
      copy_bytes(reply_sends_.buffer(slot), from, size);
      from = reply_sends_.buffer(slot);
    }
    reply(arrival.source, reply_tag(number_at(header, done)), slot, from, size);
    done += size;
  }
  return true;
}

/// Posts the receives of the rendezvous segments, each where its data belongs. An RTS with a flag is served
/// when they, and those of the same put before it, have the data.
bool Engine::serve_rendezvous(Arrival& arrival, std::span<const std::byte> packet) {
  const PacketHeader& header = arrival.header;
  std::byte* const block = single_block(header, packet);
  std::size_t& done = arrival.served_bytes;
  while (done < header.detached_bytes) {
    if (segment_receives_.is_empty()) return false;
    const int slot = segment_receives_.take();
    segment_sources_[static_cast<std::size_t>(slot)] = arrival.source;
    ++outstanding_segments_[static_cast<std::size_t>(arrival.source)];
    const std::size_t size = std::min<std::size_t>(header.segment_bytes, header.detached_bytes - done);
    mpi::check(MPI_Irecv(block + done, static_cast<int>(size), MPI_BYTE, arrival.source,
                         data_tag(number_at(header, done)), replies_communicator_.get(),
                         &requests_[segment_receives_.request(slot)]),
               "MPI_Irecv");
    done += size;
  }
  if (header.flag.region == no_region) return true;
  if (outstanding_segments_[static_cast<std::size_t>(arrival.source)] > 0) return false;
  raise(header.flag);
  return true;
}

void Engine::reply(int source, int tag, int slot, const std::byte* data, std::size_t size_bytes) {
  moved_bytes_ += size_bytes;
  mpi::check(MPI_Isend(data, static_cast<int>(size_bytes), MPI_BYTE, source, tag, replies_communicator_.get(),
                       &requests_[reply_sends_.request(slot)]),
             "MPI_Isend");
}

}  // namespace stretto::onesided
